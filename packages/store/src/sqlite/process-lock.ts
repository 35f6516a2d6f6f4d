import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../store.ts";
import { Database } from "./database.ts";

/** A process that was killed needs a moment to let go. */
const waitMs = 500;

/**
 * Makes the folder ours until the result is disposed or the process ends, however it ends: the operating system holds
 * the lock. It is a lock file of its own because such locks are lost when *any* handle on the file closes in the same
 * process, and somebody may well read the database file itself.
 * @throws StoreError `CannotOpen` when another process has it.
 */
export function lockFolder(directory: string): Disposable {
  const pidFile = join(directory, "radius.pid");
  const lockFile = join(directory, "radius.lock");
  createOnce(lockFile);
  const lock = new Database(lockFile, waitMs);
  try {
    // Nothing is ever written, and a journal file would stay behind after a kill.
    lock.script("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (error instanceof StoreError && error.code === "Unavailable") {
      throw new StoreError(
        "CannotOpen",
        `Another process${ownerOf(pidFile)} uses the database in '${directory}'. Stop it first, or use another folder.`,
      );
    }
    throw error;
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    [Symbol.dispose]: () => {
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

/** Creates the file without ever opening one that is there, for the reason above. */
export function createOnce(path: string): void {
  try {
    writeFileSync(path, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw error;
    }
  }
}

function ownerOf(pidFile: string): string {
  try {
    const pid = Number(readFileSync(pidFile, "utf8"));
    return Number.isInteger(pid) && pid > 0 ? ` (pid ${pid})` : "";
  } catch {
    return ""; // the pid only makes the message friendlier
  }
}
