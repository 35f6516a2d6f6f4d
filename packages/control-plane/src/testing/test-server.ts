import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConfigOverrides, loadServerConfig } from "../config/index.ts";
import { defaultModules } from "../default-modules.ts";
import { type RunningServer, type ServerOptions, startServer } from "../server.ts";
import type { ResourceHandler } from "@rad/resources";
import { handlersModule } from "./handlers-module.ts";
import { type ApiCalls, createApiCalls } from "./api-calls.ts";

export { local, registry, type Reply, systemVersion } from "./api-calls.ts";

export interface TestServer extends ApiCalls, AsyncDisposable {
  readonly url: string;
  readonly directory: string;
  readonly token: string;
  /** Where the local token is; empty where there is none. */
  readonly tokenFile: string;
  readonly loopbackTls: RunningServer["loopbackTls"];
}

export interface TestServerOptions {
  /** Code behind resource types, by type name. */
  readonly handlers?: Readonly<Record<string, ResourceHandler>>;
  /** Beside the default ones. */
  readonly modules?: ServerOptions["modules"];
  /** Whether types that are deployed to Kubernetes are only stored. */
  readonly recordsOnly?: boolean;
  readonly overrides?: ConfigOverrides;
  /** Where its files lie, for tests that start several servers there; otherwise a folder that goes with the server. */
  readonly directory?: string;
  /** What `call` sends; the local token when absent, which only servers on SQLite have. */
  readonly token?: string;
}

/** A whole control plane on a free port with a database of its own, gone when it is disposed. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "radius-test-")));
  const config = loadServerConfig({
    env: {},
    overrides: {
      logging: { level: "error" },
      metricsProvider: { enabled: false },
      ...options.overrides,
      server: { port: 0, ...options.overrides?.server },
      databaseProvider: { sqlite: { directory }, ...options.overrides?.databaseProvider },
    },
  });
  const defaults = defaultModules(config).filter(({ name }) => options.recordsOnly !== true || name !== "kubernetes");
  const modules = [...defaults, handlersModule(options.handlers ?? {}), ...(options.modules ?? [])];
  const server = await startServer({ config, modules });
  const { tokenFile = "" } = server;
  const token = options.token ?? (await readFile(tokenFile, "utf8")).trim();

  return {
    ...createApiCalls(server.url, token),
    url: server.url,
    directory,
    token,
    tokenFile,
    loopbackTls: server.loopbackTls,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      if (options.directory === undefined) {
        await rm(directory, { recursive: true, force: true });
      }
    },
  };
}
