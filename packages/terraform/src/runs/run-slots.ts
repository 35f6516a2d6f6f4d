import { Limiter } from "@rad/core";

/** Bounds the runs of this process. A slot is held until it is disposed. */
export class RunSlots {
  readonly #limiter: Limiter;

  constructor(slots: number) {
    this.#limiter = new Limiter(slots);
  }

  /** Waits its turn. @throws the reason of `signal` */
  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const turn = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const abort = (): void => turn.reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    void this.#limiter.run(async () => {
      turn.resolve();
      await released.promise;
    });
    try {
      await turn.promise;
    } catch (error) {
      released.resolve(); // its turn passes by
      throw error;
    } finally {
      signal.removeEventListener("abort", abort);
    }
    return { [Symbol.dispose]: () => released.resolve() };
  }
}
