import { type FileHandle, open } from "node:fs/promises";

/**
 * Brings SQLite's write-ahead log to the disk while the process works on. Whoever must know that it is there waits for
 * the disk in the commit; this makes that wait a short one, and leaves little for a power cut to take.
 */
export class LogSync implements AsyncDisposable {
  readonly #path: string;
  #file: FileHandle | undefined;
  #running: Promise<void> | undefined;
  #isWanted = false;

  /** @param path of the database. */
  constructor(path: string) {
    this.#path = `${path}-wal`;
  }

  /** One at a time, and one more for all those who ask meanwhile. */
  start(): void {
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running;
    await this.#file?.close();
  }

  async #run(): Promise<void> {
    try {
      this.#file ??= await open(this.#path, "r+");
      while (this.#isWanted) {
        this.#isWanted = false;
        await this.#file.datasync();
      }
    } catch {
      // The next commit that waits for the disk meets the same fault, and has somebody to tell.
    } finally {
      this.#running = undefined;
    }
  }
}
