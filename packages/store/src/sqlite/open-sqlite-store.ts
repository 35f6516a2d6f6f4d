import { mkdirSync, statSync } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { systemClock } from "@rad/core";
import type { Clock, Logger } from "@rad/core";
import { EventHub } from "../events.ts";
import { checkKeys } from "../sealing/check-keys.ts";
import type { KeyHistory } from "../sealing/check-keys.ts";
import { createKeyFile, readKeyFile } from "../sealing/key-file.ts";
import { KeyRing } from "../sealing/key-ring.ts";
import type { KeyRingSource } from "../sealing/key-ring.ts";
import { fileExposure, folderExposure } from "../private-path.ts";
import { StoreError } from "../store.ts";
import type { Store } from "../store.ts";
import { Database } from "./database.ts";
import { LogSync } from "./log-sync.ts";
import { migrate, schemaVersion } from "./migrations.ts";
import { createOnce, lockFolder } from "./process-lock.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { StoreTime } from "./store-time.ts";

export interface SqliteStoreOptions {
  /** Created (0700) when missing, and refused when other users can change it. Holds `radius.db`, its key unless `keys` are given, and the lock. */
  readonly directory: string;
  /** Default: the file `key` in the folder, which is created together with the database. */
  readonly keys?: KeyRingSource | undefined;
  readonly clock?: Clock | undefined;
  /** The machine slept when the clock was not read for longer; see `StoreTime`. Default: none is too long. */
  readonly longestGapMs?: number | undefined;
  readonly log: Logger;
  /** Told about every call that the disk made fail. */
  readonly onError?: ((error: StoreError) => void) | undefined;
}

/**
 * Opens the database of a folder for this process alone. Leases that an earlier process left behind are void.
 * @throws StoreError `CannotOpen`, `NotWritable`
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { directory, log } = options;
  const path = join(directory, "radius.db");
  using cleanup = new DisposableStack();
  const lock = cleanup.use(prepareFolder(directory, path));
  const database = openDatabase(path, options.onError);
  cleanup.defer(() => database.close());

  const version = schemaVersion(database);
  const ring = new KeyRing(options.keys ?? (await keysOfFolder(directory, version === 0)));
  const unchecked = checkKeys(ring, version === 0 ? { checks: [], inUse: [] } : keyHistory(database));
  migrate(database, version);
  for (const keyId of unchecked) {
    database.run("INSERT INTO key_checks (key_id, check_value) VALUES (?, ?)", [keyId, ring.makeCheck(keyId)]);
  }
  const clock = options.clock ?? systemClock;
  const store = new SqliteStore({
    database,
    logSync: new LogSync(path),
    lock,
    ring,
    clock,
    time: new StoreTime(database, clock, options.longestGapMs ?? Infinity),
    events: new EventHub(log),
    log,
  });
  const resumed = store.operations.voidLeases();
  log.info("database opened", { path, resumed });
  cleanup.move();
  return store;
}

/** @returns the folder's lock. */
function prepareFolder(directory: string, path: string): Disposable {
  try {
    makeFolder(resolve(directory));
    requireOurs(directory);
    const lock = lockFolder(directory);
    // SQLite gives its other files the mode of this one.
    createOnce(path);
    return lock;
  } catch (cause) {
    if (cause instanceof StoreError) {
      throw cause;
    }
    const { code, message } = cause as NodeJS.ErrnoException;
    const isFile = code === "EEXIST" || code === "ENOTDIR";
    throw new StoreError(isFile ? "CannotOpen" : "NotWritable", `'${directory}' cannot hold a database: ${message}.`, {
      cause,
    });
  }
}

/** What lies in the folder decides who is let in and what is known, so no other user may have put it there. */
const ourFiles = ["radius.db", "radius.db-wal", "radius.lock", "radius.pid", "key"];

function requireOurs(directory: string): void {
  const dangers = [folderExposure(directory), ...ourFiles.map((name) => fileExposure(join(directory, name)))];
  const danger = dangers.find((text) => text !== undefined);
  if (danger !== undefined) {
    throw new StoreError("CannotOpen", `The data folder cannot be trusted: ${danger}`);
  }
}

/** Node's own recursive mkdir never returns where the parent exists and still refuses with ENOENT, as `/proc` does. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    return;
  }
  if (dirname(path) !== path) {
    makeFolder(dirname(path));
  }
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same time may have been faster.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw error;
    }
  }
}

function openDatabase(path: string, onError: SqliteStoreOptions["onError"]): Database {
  const database = new Database(path, 1000, onError);
  try {
    // Exclusive locking needs no shared-memory file; FULL makes every commit survive a power cut.
    database.script("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    // A checkpoint every 16 MB: what is written often stays cheap as it grows. 4 MB of pages are enough, since the
    // operating system has the rest: with 5,000 and 50,000 documents, puts, gets and lists took the same CPU time with 2,
    // 4, 8 and 32 MB. A page that was once in memory of ours is never given back to the operating system.
    database.script("PRAGMA cache_size = -4096; PRAGMA wal_autocheckpoint = 4000");
    return database;
  } catch (error) {
    database.close();
    if (error instanceof StoreError && error.code !== "NotWritable") {
      throw new StoreError("CannotOpen", `'${path}' cannot be opened: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** A key is made only for a new database: making one for an old database would hide that the right key is lost. */
async function keysOfFolder(directory: string, isNew: boolean): Promise<KeyRingSource> {
  const path = join(directory, "key");
  return isNew && !(await exists(path)) ? await createKeyFile(path) : await readKeyFile(path);
}

function keyHistory(database: Database): KeyHistory {
  const inUse = database.all<{ id: string }>(
    "SELECT DISTINCT sealed_key_id AS id FROM documents WHERE sealed_key_id IS NOT NULL",
  );
  return {
    checks: database.all("SELECT key_id, check_value FROM key_checks"),
    inUse: inUse.map((row) => row.id),
  };
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
