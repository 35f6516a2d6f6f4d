import type { Clock } from "@rad/core";
import { RunError } from "./run-error.ts";
import type { RunCommand } from "./run-event.ts";

export interface RunSignalOptions {
  readonly clock: Clock;
  /** Of whoever wants the run. */
  readonly caller: AbortSignal;
  /** Of the binary's lease and of the record. */
  readonly leases: readonly AbortSignal[];
  readonly timeoutMs: number;
}

/** Everything that ends a run early, as one signal, and the error that says why. */
export class RunSignal implements Disposable {
  readonly signal: AbortSignal;
  readonly #options: RunSignalOptions;
  readonly #timeout = new AbortController();
  readonly #over = new AbortController();

  constructor(options: RunSignalOptions) {
    this.#options = options;
    this.signal = AbortSignal.any([options.caller, ...options.leases, this.#timeout.signal]);
    options.clock.sleep(options.timeoutMs, this.#over.signal).then(
      () => this.#timeout.abort(),
      () => {}, // the run has ended
    );
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }

  /** @throws why the run is over, if it is */
  throwIfOver(command: RunCommand): void {
    this.#options.caller.throwIfAborted();
    this.throwIfLost(command);
    if (this.#timeout.signal.aborted) {
      const minutes = Math.round(this.#options.timeoutMs / 6_000) / 10;
      const why = `Terraform did not end within ${minutes} minutes (terraform.runs.timeoutMinutes) and was interrupted during ${command}.`;
      throw new RunError("TimedOut", why, { command });
    }
  }

  /** @throws when somebody else may work on the state */
  throwIfLost(command: RunCommand): void {
    if (this.#options.leases.some(({ aborted }) => aborted)) {
      const why = "The right to run Terraform on this state could not be renewed, so Terraform was ended. Try again.";
      throw new RunError("LeaseLost", why, { command });
    }
  }
}
