import { closeSync, lstatSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { ArtifactError } from "../artifact-error.ts";
import { systemCode } from "../system-code.ts";
import { makeFolder } from "./make-folder.ts";

export interface LockOptions {
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const retryMs = 20;
const sqliteBusy = 5;

/**
 * Holds `path` for this process until the result is disposed. The lock is the operating system's, taken through
 * SQLite on an empty file, so it ends with its holder: a killed process leaves a file behind, but no lock.
 * @throws ArtifactError `Locked` when somebody else keeps it for longer than `waitMs`, `LockFailed`.
 */
export async function lockFile(path: string, options: LockOptions = {}): Promise<Disposable> {
  const sqlite = await import("node:sqlite");
  await createEmpty(path);
  const deadline = performance.now() + (options.waitMs ?? 5_000);
  for (;;) {
    options.signal?.throwIfAborted();
    const lock = tryLock(sqlite.DatabaseSync, path);
    if (lock !== undefined) {
      return lock;
    }
    if (performance.now() > deadline) {
      throw new ArtifactError("Locked", `${path} is locked by another process. Try again when it has finished.`);
    }
    await delay(retryMs);
  }
}

/** Whether somebody holds `path`, this process included. Creates nothing. @throws ArtifactError `LockFailed` */
export async function isLocked(path: string): Promise<boolean> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    return false;
  }
  const sqlite = await import("node:sqlite");
  const lock = tryLock(sqlite.DatabaseSync, path);
  lock?.[Symbol.dispose]();
  return lock === undefined;
}

/** Nothing while somebody else has it. @throws ArtifactError `LockFailed` */
function tryLock(Database: typeof DatabaseSync, path: string): Disposable | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new Database(path, { timeout: 0 });
    // No journal beside the lock: nothing is ever written.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof Error && "errcode" in error && error.errcode === sqliteBusy) {
      return undefined;
    }
    throw new ArtifactError("LockFailed", `${path} cannot be used as a lock file. Delete it and try again.`, {
      cause: error,
    });
  }
}

async function createEmpty(path: string): Promise<void> {
  try {
    await makeFolder(dirname(path));
    createFile(path);
  } catch (error) {
    throw new ArtifactError("LockFailed", `${path} cannot be written (${systemCode(error) ?? "unknown error"}).`, {
      cause: error,
    });
  }
}

/**
 * A file that is there is not opened: POSIX ends a lock as soon as its process closes any descriptor of the file, and
 * this process may hold it. A new one is closed before anything else can run.
 */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (systemCode(error) !== "EEXIST" || !lstatSync(path).isFile()) {
      throw error;
    }
  }
}
