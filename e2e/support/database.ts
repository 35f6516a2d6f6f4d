import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ConfigOverrides } from "@rad/control-plane";
import { assign, configuredTokens, createIdentity } from "@rad/control-plane/testing";
import { createKeyFile } from "@rad/store";
import { startPostgres } from "@rad/store/testing";
import type { PostgresServer } from "@rad/store/testing";
import { startServerProcess } from "./server-process.ts";
import type { ServerProcess } from "./server-process.ts";

/** A database that outlives the servers which are started on it. */
export interface TestDatabase extends AsyncDisposable {
  /** Where its files and those of its servers lie. */
  readonly folder: string;
  readonly token: string;
  /** Of a caller who may read everything and change nothing. */
  readonly readerToken: string;
  /** Where PostgreSQL has it. */
  readonly url?: string;
  /** Where PostgreSQL keeps its files. */
  readonly databaseFolder?: string;
  /** Restarts PostgreSQL, without a word to its clients. */
  readonly restart?: () => Promise<void>;
  startServer(config?: ConfigOverrides, env?: Readonly<Record<string, string>>): Promise<ServerProcess>;
}

export const databases = { sqlite: openSqlite, postgresql: openPostgres } as const;

async function openSqlite(): Promise<TestDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), "rad-e2e-"));
  const identity = testIdentity();
  return {
    folder,
    token: identity.token,
    readerToken: identity.readerToken,
    startServer: (config = {}, env = {}) =>
      startServerProcess({ folder, token: identity.token, config: { ...identity.config, ...config }, env }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function openPostgres(): Promise<TestDatabase> {
  const server = await startPostgres();
  const database = await openDatabaseOf(server, await server.createDatabase());
  return {
    ...database,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** A database of a PostgreSQL server that others use, too. The URL may lead through a proxy. */
export async function openDatabaseOf(server: PostgresServer, url: string): Promise<TestDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), "rad-e2e-"));
  const keyFile = path.join(folder, "keys");
  await createKeyFile(keyFile);
  const identity = testIdentity();
  let started = 0;
  return {
    folder,
    url,
    databaseFolder: server.folder,
    restart: () => server.restart(),
    token: identity.token,
    readerToken: identity.readerToken,
    startServer: (config = {}, env = {}) => {
      started += 1;
      return startServerProcess({
        folder,
        env,
        label: `server-${started}`,
        token: identity.token,
        config: {
          ...identity.config,
          databaseProvider: { provider: "postgresql", postgresql: { url } },
          encryption: { keyFile },
          ...config,
        },
      });
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Tokens that the configuration knows, because servers on PostgreSQL make none of their own. */
function testIdentity(): { token: string; readerToken: string; config: ConfigOverrides } {
  const identity = createIdentity("test");
  const reader = createIdentity("reader");
  return {
    token: identity.token,
    readerToken: reader.token,
    config: {
      authentication: configuredTokens(identity, reader),
      authorization: { assignments: [assign("radius-admin", identity, "/"), assign("radius-reader", reader, "/")] },
    },
  };
}
