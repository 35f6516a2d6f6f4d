import { chmod, open } from "node:fs/promises";
import { dirname } from "node:path";
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
 * @throws ArtifactError `Locked` when somebody else keeps it for longer than `waitMs`.
 */
export async function lockFile(path: string, options: LockOptions = {}): Promise<Disposable> {
  const { DatabaseSync } = await import("node:sqlite");
  await createEmpty(path);
  const deadline = performance.now() + (options.waitMs ?? 5_000);
  for (;;) {
    options.signal?.throwIfAborted();
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      // No journal beside the lock: nothing is ever written.
      database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
      return { [Symbol.dispose]: () => database.close() };
    } catch (error) {
      database.close();
      if (!(error instanceof Error && "errcode" in error && error.errcode === sqliteBusy)) {
        throw new ArtifactError("LockFailed", `${path} cannot be used as a lock file. Delete it and try again.`, {
          cause: error,
        });
      }
    }
    if (performance.now() > deadline) {
      throw new ArtifactError("Locked", `${path} is locked by another process. Try again when it has finished.`);
    }
    await delay(retryMs);
  }
}

async function createEmpty(path: string): Promise<void> {
  try {
    await makeFolder(dirname(path));
    await (await open(path, "a", 0o600)).close();
    await chmod(path, 0o600);
  } catch (error) {
    throw new ArtifactError("LockFailed", `${path} cannot be written (${systemCode(error) ?? "unknown error"}).`, {
      cause: error,
    });
  }
}
