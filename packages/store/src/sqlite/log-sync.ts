import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** A moment in which further commits come, and often one that waits for the disk and so saves the sync. */
const gatherMs = 20;

/**
 * Brings SQLite's write-ahead log to the disk while the process works on. Whoever must know that it is there waits for
 * the disk in the commit; this makes that wait a short one, and leaves little for a power cut to take.
 */
export class LogSync implements AsyncDisposable {
  readonly #path: string;
  #file: FileHandle | undefined;
  #running: Promise<void> | undefined;
  #isWanted = false;
  readonly #closing = new AbortController();

  /** @param path of the database. */
  constructor(path: string) {
    this.#path = `${path}-wal`;
  }

  /** One at a time, for all those who ask until it begins. */
  start(): void {
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  /** A commit has waited for the disk, which has everything before it now, too. */
  spare(): void {
    this.#isWanted = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#running;
    await this.#file?.close();
  }

  async #run(): Promise<void> {
    try {
      this.#file ??= await open(this.#path, "r+");
      while (this.#isWanted) {
        await sleep(gatherMs, undefined, { signal: this.#closing.signal });
        if (this.#isWanted) {
          this.#isWanted = false;
          await this.#file.datasync();
        }
      }
    } catch {
      // The next commit that waits for the disk meets the same fault, and has somebody to tell.
    } finally {
      this.#running = undefined;
    }
  }
}
