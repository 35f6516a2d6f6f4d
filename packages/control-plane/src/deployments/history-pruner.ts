import type { Clock, Logger } from "@rad/core";

/** First whoever waits for the deployment's end is answered. */
const pauseMs = 20;

/**
 * Prunes histories after deployments have ended. Each time the whole history is read, so there is one look at a scope
 * at a time, and one more for all those deployments that end during it.
 */
export class HistoryPruner implements AsyncDisposable {
  readonly #prune: (scope: string) => Promise<unknown>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #wanted = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    prune: (scope: string) => Promise<unknown>,
    { clock, log }: { readonly clock: Clock; readonly log: Logger },
  ) {
    this.#prune = prune;
    this.#clock = clock;
    this.#log = log;
  }

  /** A deployment has ended in this scope. */
  ended(scope: string): void {
    const key = scope.toLowerCase();
    this.#wanted.add(key);
    if (!this.#running.has(key)) {
      this.#running.set(key, this.#work(key));
    }
  }

  /** Waits for what runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.values());
  }

  async #work(scope: string): Promise<void> {
    await this.#clock.sleep(pauseMs);
    while (this.#wanted.delete(scope)) {
      try {
        await this.#prune(scope);
      } catch (error) {
        this.#log.warn("old deployments could not be removed", { scope, error });
      }
    }
    this.#running.delete(scope);
  }
}
