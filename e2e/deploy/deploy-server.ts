import { createClient } from "@rad/client";
import type { Client } from "@rad/client";
import { startTestServer } from "@rad/control-plane/testing";
import { createTestHandlers, registerTestTypes } from "./test-types.ts";

export interface DeployServer extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly client: Client;
}

/** A control plane in this process with the test types, its files in a folder that goes with it. */
export async function startDeployServer(): Promise<DeployServer> {
  const server = await startTestServer({ handlers: createTestHandlers() });
  const client = createClient({ endpoint: server.url, token: server.token });
  await registerTestTypes(client);
  return { ...server, client };
}
