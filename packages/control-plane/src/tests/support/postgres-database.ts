import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKeyFile } from "@rad/store";
import { type PostgresServer, startPostgres } from "@rad/store/testing";
import { startTestServer, type TestServer, type TestServerOptions } from "../../testing/test-server.ts";
import { assign, configuredTokens, createIdentity } from "../../testing/identities.ts";

/** A database on a PostgreSQL server of its own, and whatever control planes need to use it. */
export interface PostgresDatabase extends AsyncDisposable {
  readonly postgres: PostgresServer;
  readonly url: string;
  readonly keyFile: string;
  startServer(options?: TestServerOptions): Promise<TestServer>;
}

export async function startPostgresDatabase(): Promise<PostgresDatabase> {
  const postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const folder = await mkdtemp(join(tmpdir(), "radius-keys-"));
  const keyFile = join(folder, "keys");
  await createKeyFile(keyFile);
  const admin = createIdentity("admin");
  return {
    postgres,
    url,
    keyFile,
    startServer: ({ overrides, ...options } = {}) =>
      startTestServer({
        ...options,
        token: admin.token,
        overrides: {
          ...overrides,
          authentication: configuredTokens(admin),
          authorization: { assignments: [assign("radius-admin", admin, "/")] },
          databaseProvider: { provider: "postgresql", postgresql: { url } },
          encryption: { keyFile },
        },
      }),
    [Symbol.asyncDispose]: async () => {
      await postgres[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
