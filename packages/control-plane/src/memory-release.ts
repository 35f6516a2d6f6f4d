import { garbageCollector } from "@rad/artifacts/garbage";
import type { Logger } from "@rad/core";

export interface OperationCounts {
  /** So far. */
  readonly begun: number;
  readonly underWay: number;
}

export interface MemoryReleaseOptions {
  /** Requests that have come in so far. */
  readonly requests: () => number;
  /** An operation may wait for Terraform, and take no CPU time of ours meanwhile. */
  readonly operations?: () => OperationCounts | undefined;
  readonly log: Logger;
  /** CPU time of the process so far, and the collection; as they are unless a test says otherwise. */
  readonly cpuMs?: () => number;
  readonly collect?: () => void;
}

const lookEveryMs = 1_000;
/** Probes and scrapes go on while nobody uses a server. */
const fewRequests = 2;
const littleCpuMs = 50;
const quietLooks = 3;
/** While operations are under way: most end before, and go on with code that a collection would have thrown away. */
const quietLooksAtWork = 30;
/** Less work than this leaves nothing behind that is worth a collection. */
const worthwhileCpuMs = 150;

/**
 * Returns memory to the operating system once work is over. V8 keeps the pages of objects that died, up to twice what
 * the server needs, until new objects make it look: without requests that is never. A collection held the event loop for
 * 39 to 89 ms on two busy cores, so it waits until a few seconds have been quiet, and runs once after each time of work.
 */
export class MemoryRelease implements Disposable {
  readonly #options: MemoryReleaseOptions;
  readonly #cpuMs: () => number;
  readonly #collect: () => void;
  readonly #timer: NodeJS.Timeout;
  #requests = 0;
  #operations: OperationCounts = { begun: 0, underWay: 0 };
  #cpu = 0;
  #releasedAt = 0;
  #quiet = 0;

  constructor(options: MemoryReleaseOptions) {
    this.#options = options;
    this.#cpuMs = options.cpuMs ?? processCpuMs;
    this.#collect = options.collect ?? collectGarbage;
    this.#timer = setInterval(() => this.look(), lookEveryMs).unref();
  }

  /** Called every second. */
  look(): void {
    const [requests, cpu] = [this.#options.requests(), this.#cpuMs()];
    const { begun, underWay } = this.#options.operations?.() ?? this.#operations;
    const isSame = begun === this.#operations.begun && underWay === this.#operations.underWay;
    const isQuiet = isSame && requests - this.#requests <= fewRequests && cpu - this.#cpu <= littleCpuMs;
    this.#quiet = isQuiet ? this.#quiet + 1 : 0;
    this.#requests = requests;
    this.#operations = { begun, underWay };
    this.#cpu = cpu;
    const needed = underWay > 0 ? quietLooksAtWork : quietLooks;
    if (this.#quiet < needed || cpu - this.#releasedAt < worthwhileCpuMs) {
      return;
    }
    this.#release();
    this.#cpu = this.#cpuMs();
    this.#releasedAt = this.#cpu;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #release(): void {
    const { log } = this.#options;
    const startedAt = performance.now();
    try {
      this.#collect();
      log.debug("memory released", { durationMs: Math.round(performance.now() - startedAt) });
    } catch (error) {
      log.warn("memory cannot be released, which does no harm", { error });
      clearInterval(this.#timer);
    }
  }
}

function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** This one also gives pages back. */
function collectGarbage(): void {
  garbageCollector()({ type: "major", execution: "sync", flavor: "last-resort" });
}
