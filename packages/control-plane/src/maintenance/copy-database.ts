import { existsSync } from "node:fs";
import { join } from "node:path";
import { type JsonObject, type Logger, silentLogger } from "@rad/core";
import { type DocumentInput, listAll, openSqliteStore, type Store, type StoredDocument, StoreError } from "@rad/store";
import { ConfigError, type ServerConfig } from "../config/index.ts";
import { openStore } from "../open-store.ts";

export interface CopyOptions {
  /** The data folder of a server on SQLite, which must not run. */
  readonly from: string;
  /** Its database is PostgreSQL, and empty. */
  readonly to: ServerConfig;
  readonly log?: Logger;
  readonly onProgress?: (copied: number) => void;
}

/** In the target while a copy is not finished: a server must not start on the half of it. */
const markerId = "/system/unfinishedCopy";
const markerType = "System.Radius/unfinishedCopies";
const apiVersion = "2023-10-01-preview";

/**
 * Copies all documents with their secret values from SQLite to PostgreSQL, where they are sealed with the keys of the target.
 * What was copied before an interruption is copied again. The audit log and the statuses of ended operations stay behind.
 * @returns the number of documents
 * @throws ConfigError, StoreError
 */
export async function copyDatabase({ from, to, log = silentLogger, onProgress }: CopyOptions): Promise<number> {
  if (to.databaseProvider.provider !== "postgresql") {
    throw new ConfigError(["databaseProvider.provider: must be postgresql, since data is copied from SQLite to there"]);
  }
  if (!existsSync(join(from, "radius.db"))) {
    throw new StoreError("CannotOpen", `'${from}' holds no database of a server on SQLite.`);
  }
  await using source = await openSqliteStore({ directory: from, log });
  await requireQuiet(source);
  await using target = await openStore(to, { log });
  await claim(target);
  let copied = 0;
  for await (const document of listAll((query) => source.list(query), { under: "/" })) {
    await target.write({ document: { kind: "put", input: await inputOf(source, document), expect: "any" } });
    copied += 1;
    onProgress?.(copied);
  }
  await target.write({ document: { kind: "remove", id: markerId, expect: "any" } });
  return copied;
}

/** @throws StoreError `CannotOpen` for a database into which a copy was begun and not finished. */
export async function requireWholeCopy(store: Store): Promise<void> {
  if ((await store.get(markerId)) !== undefined) {
    throw new StoreError(
      "CannotOpen",
      "The copy into this database was interrupted. Run `rad server copy` again before you start a server on it.",
    );
  }
}

/** Work that is under way has leases and waits, which are of one database. */
async function requireQuiet(source: Store): Promise<void> {
  const left = (await source.operations.depths()).reduce(
    (sum, depth) => sum + depth.waiting + depth.running + depth.parked,
    0,
  );
  if (left > 0) {
    throw new StoreError(
      "CannotOpen",
      `Operations have not ended: ${left}. Start the server on SQLite, wait until they have, and stop it again.`,
    );
  }
}

async function claim(target: Store): Promise<void> {
  if ((await target.get(markerId)) !== undefined) {
    return; // an earlier copy was interrupted
  }
  const { items } = await target.list({ under: "/", limit: 1 });
  if (items.length > 0) {
    throw new StoreError(
      "CannotOpen",
      "The database to copy to is not empty. Create a new one and name it in the configuration.",
    );
  }
  const body: JsonObject = { id: markerId, name: "unfinishedCopy", type: markerType, properties: {} };
  const input = { id: markerId, type: markerType, apiVersion, body, secrets: {} };
  await target.write({ document: { kind: "put", input, expect: "absent" } });
}

async function inputOf(source: Store, document: StoredDocument): Promise<DocumentInput> {
  const { id, type, apiVersion: version } = document;
  return { id, type, apiVersion: version, body: await document.parsed(), secrets: await source.secrets(id) };
}
