import { silentLogger } from "@rad/core";
import { openPostgresStore } from "../postgres/open-postgres-store.ts";
import type { Store } from "../store.ts";
import { oldKey } from "./contract/keys.ts";

/** Opens the store of a database as a server process does, with the key of the contract suite. */
export function connectPostgres(url: string): Promise<Store> {
  return openPostgresStore({ url, keys: { keys: [oldKey] }, log: silentLogger });
}
