import { createHash } from "node:crypto";
import type { Hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { UsedBuffers } from "../garbage.ts";
import { Pieces } from "./pieces.ts";

/** Few large writes cost less than many small ones; much larger ones only take memory. */
const batchBytes = 1 << 20;

/**
 * Writes and hashes what arrives. One batch is written by another thread while the next one is hashed and collected, so
 * the disk, the hash and the network do not wait for each other.
 */
export class HashedFile {
  readonly #file: FileHandle;
  #hash: Hash = createHash("sha256");
  readonly #batch = new Pieces();
  readonly #used = new UsedBuffers();
  #bytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** That were added so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Why the disk did not take a batch. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Resolves to whether a batch became full. @throws when an earlier one could not be written */
  async add(chunk: Buffer): Promise<boolean> {
    this.#hash.update(chunk);
    this.#batch.add(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#batch.bytes < batchBytes) {
      return false;
    }
    await this.#writing;
    this.#used.count(this.#batch.bytes);
    this.#writing = this.#write();
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    return true;
  }

  /** Waits until everything that was added is written. @throws when it could not be */
  async flush(): Promise<void> {
    await this.settle();
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
  }

  /** Waits until everything that was added is written, or could not be. */
  async settle(): Promise<void> {
    await this.#writing;
    await this.#write();
  }

  /** Forgets everything that was added. */
  async restart(): Promise<void> {
    if (this.#bytes === 0) {
      return;
    }
    await this.flush();
    await this.#file.truncate(0);
    this.#hash = createHash("sha256");
    this.#bytes = 0;
  }

  /** Of everything that was added; ends the file. */
  digest(): string {
    return this.#hash.digest("hex");
  }

  async #write(): Promise<void> {
    const position = this.#bytes - this.#batch.bytes;
    const batch = this.#batch.take();
    if (batch.length === 0 || this.#failure !== undefined) {
      return;
    }
    try {
      await writeAll(this.#file, batch, position);
    } catch (error) {
      this.#failure = error;
    }
  }
}

/** A full disk or a limit may cut a write short; only the next one says why. */
async function writeAll(file: FileHandle, batch: Buffer[], start: number): Promise<void> {
  const length = batch.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  const { bytesWritten } = await file.writev(batch, start);
  if (bytesWritten < length) {
    const rest = Buffer.concat(batch).subarray(bytesWritten);
    await writeAll(file, [rest], start + bytesWritten);
  }
}
