import type { Clock, Limiter } from "@rad/core";

/** One line of a preflight. `skipped`: something that it needs has failed, or nothing of the kind is run here. */
export interface PreflightCheck {
  /** What was checked: `terraform`, `backend s3`, `secret <id> <key>`. */
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped";
  /** What was found, or what is wrong and what to do. */
  readonly message: string;
  readonly durationMs: number;
}

/** What a check found, for those that need it. */
export interface Passed<T> {
  readonly message: string;
  readonly value: T;
}

/** A check that runs or has ended; those that need it wait for it. */
export interface Check<T> {
  readonly name: string;
  /** `undefined` unless it passed. */
  readonly value: Promise<T | undefined>;
  readonly ended: Promise<PreflightCheck>;
}

export interface CheckOptions {
  readonly timeoutMs: number;
  /** Without them the check says nothing of its own. */
  readonly needs?: readonly Check<unknown>[];
  /** Checks that share it wait for their turn; their time begins with it. */
  readonly turns?: Limiter | undefined;
}

/** Runs checks side by side, each with a time limit, and keeps them in the order in which they were added. */
export class CheckList {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #describe: (error: unknown) => string;
  readonly #checks: Check<unknown>[] = [];

  /** @param describe the text of an error, without secrets */
  constructor(clock: Clock, signal: AbortSignal, describe: (error: unknown) => string) {
    this.#clock = clock;
    this.#signal = signal;
    this.#describe = describe;
  }

  add<T>(name: string, options: CheckOptions, work: (signal: AbortSignal) => Promise<Passed<T>>): Check<T> {
    const running = this.#run(name, options, work);
    const check: Check<T> = {
      name,
      value: running.then(({ value }) => value),
      ended: running.then(({ check: ended }) => ended),
    };
    check.value.catch(() => {}); // `ended` tells it
    this.#checks.push(check);
    return check;
  }

  /** For what cannot be checked, with the reason. */
  skip(name: string, message: string): void {
    const ended = Promise.resolve({ name, status: "skipped", message, durationMs: 0 } as const);
    this.#checks.push({ name, value: Promise.resolve(undefined), ended });
  }

  /** @throws the reason of the signal when it aborts */
  async results(): Promise<readonly PreflightCheck[]> {
    const results: PreflightCheck[] = [];
    for (const { ended } of this.#checks) {
      results.push(await ended); // checks may be added meanwhile
    }
    this.#signal.throwIfAborted();
    return results;
  }

  async #run<T>(
    name: string,
    { timeoutMs, needs = [], turns }: CheckOptions,
    work: (signal: AbortSignal) => Promise<Passed<T>>,
  ): Promise<{ readonly check: PreflightCheck; readonly value: T | undefined }> {
    const broken = (await Promise.all(needs.map(({ ended }) => ended))).find(({ status }) => status !== "passed");
    if (broken !== undefined) {
      const message = `Needs '${broken.name}'.`;
      return { check: { name, status: "skipped", message, durationMs: 0 }, value: undefined };
    }
    const timed = () => this.#timed(name, timeoutMs, work);
    return await (turns === undefined ? timed() : turns.run(timed));
  }

  async #timed<T>(
    name: string,
    timeoutMs: number,
    work: (signal: AbortSignal) => Promise<Passed<T>>,
  ): Promise<{ readonly check: PreflightCheck; readonly value: T | undefined }> {
    const startedAt = this.#clock.monotonicMs();
    const ended = (status: PreflightCheck["status"], message: string): PreflightCheck => ({
      name,
      status,
      message,
      durationMs: Math.round(this.#clock.monotonicMs() - startedAt),
    });
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([this.#signal, timeout]);
    try {
      signal.throwIfAborted();
      const { message, value } = await orAborted(work(signal), signal);
      return { check: ended("passed", message), value };
    } catch (error) {
      const text = timeout.aborted ? `No answer within ${timeoutMs / 1_000} s.` : this.#describe(error);
      return { check: ended("failed", text), value: undefined };
    }
  }
}

/** Work that does not notice the signal is left to end by itself. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  work.catch(() => {});
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
