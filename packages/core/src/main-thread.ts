/** How long work may go on before others get their turn. Far below what a person or a liveness probe notices. */
const sliceMs = 3;

/** While requests keep coming, long work gets this long off after each slice: a fifth of the thread's time. */
const restMs = 12;

/** Small requests end before they have done so many, and never ask. */
const stepsBetween = 1_000;

/**
 * Shares the one thread that serves every request between long work and everything else. Long work asks `giveWay` after
 * each small piece, say every thousand steps; usually it may go on. All long work of the process has one slice per turn of
 * the event loop together, and those that wait go on in the order in which they came.
 */
export class MainThread {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #sliceEnd: number | undefined;
  #requests = 0;
  #requestsSeen = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** `undefined` when the caller may go on at once, which costs no turn of the event loop. */
  giveWay(): Promise<void> | undefined {
    const now = this.#now();
    if (this.#sliceEnd === undefined) {
      this.#beginSlice(now);
      return undefined;
    }
    if (now < this.#sliceEnd && this.#waiting.length === 0) {
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** For the next turn, however much is left of this slice: after a piece of work that was longer than one. */
  nextTurn(): Promise<void> {
    if (this.#sliceEnd === undefined) {
      this.#beginSlice(this.#now());
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** How many requests have come in so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Tells that a request has come in, so that long work leaves room for the next. */
  noteRequest(): void {
    this.#requests += 1;
  }

  #beginSlice(now: number): void {
    this.#sliceEnd = now + sliceMs;
    setImmediate(() => {
      this.#endSlice();
    });
  }

  #endSlice(): void {
    const isBusy = this.#requests > this.#requestsSeen;
    this.#requestsSeen = this.#requests;
    if (this.#waiting.length > 0 && isBusy) {
      setTimeout(() => {
        this.#resumeNext();
      }, restMs);
    } else {
      this.#resumeNext();
    }
  }

  #resumeNext(): void {
    if (this.#waiting.length === 0) {
      this.#sliceEnd = undefined;
      return;
    }
    this.#beginSlice(this.#now());
    this.#resume();
  }

  /** Most need less than a slice, and what is left of it is for those behind them. */
  #resume(): void {
    this.#waiting.shift()?.();
    queueMicrotask(() => {
      if (this.#waiting.length > 0 && this.#now() < (this.#sliceEnd ?? 0)) {
        this.#resume();
      }
    });
  }
}

export const mainThread: MainThread = new MainThread();

/** Counts the steps of long work, each of which takes a microsecond at most, and gives way now and then. */
export class Pace {
  readonly #thread: MainThread;
  #stepsLeft = stepsBetween;

  constructor(thread: MainThread = mainThread) {
    this.#thread = thread;
  }

  /** Tells that so many steps were done; wait for what it returns, if anything. */
  spend(steps = 1): Promise<void> | undefined {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft > 0) {
      return undefined;
    }
    this.#stepsLeft = stepsBetween;
    return this.#thread.giveWay();
  }
}
