import type { Store } from "../store.ts";
import type { PostgresStoreOptions } from "./open-postgres-store.ts";

/**
 * Connects, brings the schema up to date and starts to listen for what other processes do. The driver is loaded when
 * it is asked for: that takes some 20 ms, which a server on SQLite would spend for nothing at every start.
 * @throws StoreError `Unavailable` when PostgreSQL does not answer, `CannotOpen` when starting again would not help.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const postgres = await import("./open-postgres-store.ts");
  return await postgres.openPostgresStore(options);
}
