import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@rad/core";
import type { Clock } from "@rad/core";
import { openSqliteStore } from "../sqlite/open-sqlite-store.ts";
import type { Store } from "../store.ts";

/** A SQLite store in a folder of its own, which goes when the store is closed. */
export async function openTemporaryStore(options: { readonly clock?: Clock } = {}): Promise<Store> {
  const directory = await mkdtemp(join(tmpdir(), "radius-store-"));
  const store = await openSqliteStore({ directory, clock: options.clock, log: silentLogger });
  const close = store[Symbol.asyncDispose].bind(store);
  store[Symbol.asyncDispose] = async () => {
    await close();
    await rm(directory, { recursive: true, force: true });
  };
  return store;
}
