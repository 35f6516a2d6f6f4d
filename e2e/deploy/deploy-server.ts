import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "@rad/client";
import type { Client } from "@rad/client";
import { defaultModules, loadServerConfig, startServer } from "@rad/control-plane";
import { handlersModule } from "@rad/control-plane/testing";
import { createTestHandlers, registerTestTypes } from "./test-types.ts";

export interface DeployServer extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly client: Client;
}

/** A control plane in this process with the test types, its files in a folder that goes with it. */
export async function startDeployServer(): Promise<DeployServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "rad-deploy-"));
  const overrides = {
    server: { port: 0 },
    databaseProvider: { sqlite: { directory: folder } },
    logging: { level: "error" as const },
    metricsProvider: { enabled: false },
  };
  const server = await startServer({
    config: loadServerConfig({ env: {}, overrides }),
    modules: [...defaultModules(), handlersModule(createTestHandlers())],
  });
  const token = (await readFile(server.tokenFile ?? "", "utf8")).trim();
  const client = createClient({ endpoint: server.url, token });
  await registerTestTypes(client);
  return {
    url: server.url,
    token,
    client,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
