import { type Clock, type Logger, systemClock } from "@rad/core";
import { openPostgresStore, openSqliteStore, readKeyFile, type Store, StoreError } from "@rad/store";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ServerConfig } from "./config/index.ts";

/** The store looks at the clock every few seconds. */
const longestGapMs = 60_000;

interface OpenOptions {
  readonly log: Logger;
  readonly clock?: Clock;
  readonly onError?: (error: StoreError) => void;
}

/** Opens the database that the configuration names. @throws StoreError */
export async function openStore(
  config: ServerConfig,
  { log, clock = systemClock, onError }: OpenOptions,
): Promise<Store> {
  const { databaseProvider, encryption } = config;
  const keys = encryption.keyFile === undefined ? undefined : await readKeyFile(encryption.keyFile);
  if (databaseProvider.provider === "sqlite") {
    return await openSqliteStore({ directory: dataDirectory(config), keys, clock, longestGapMs, log, onError });
  }
  const { url, preparedStatements, listenUrl } = databaseProvider.postgresql;
  if (url === undefined || keys === undefined) {
    throw new StoreError("CannotOpen", "PostgreSQL needs databaseProvider.postgresql.url and encryption.keyFile.");
  }
  const leaseMs = config.operations.leaseSeconds * 1_000;
  return await openPostgresStore({ url, keys, log, leaseMs, preparedStatements, listenUrl, onError });
}

/** Where the server keeps its files. */
export function dataDirectory({ databaseProvider }: ServerConfig): string {
  return databaseProvider.sqlite.directory ?? join(homedir(), ".rad", "server");
}
