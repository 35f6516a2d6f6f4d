import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export type Collect = (options: {
  readonly type: "major" | "minor";
  readonly execution: "sync";
  readonly flavor?: "last-resort";
}) => void;

/**
 * V8's own collection, which is a function that new contexts have while a flag is set. The flag must not stay: code that
 * was compiled under other flags is not taken from the compile cache.
 */
export function garbageCollector(): Collect {
  setFlagsFromString("--expose-gc");
  try {
    return runInNewContext("gc") as Collect;
  } finally {
    setFlagsFromString("--no-expose-gc");
  }
}

const collectEvery = 8 << 20;

/**
 * Frees buffers that were used once, while a large file streams through the process. V8 counts the small objects in front
 * of them, and so it lets tens of megabytes pile up.
 */
export class UsedBuffers {
  #bytes = 0;
  #collect: Collect | undefined;

  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes >= collectEvery) {
      this.#bytes = 0;
      this.#collect ??= garbageCollector();
      this.#collect({ type: "minor", execution: "sync" });
    }
  }
}
