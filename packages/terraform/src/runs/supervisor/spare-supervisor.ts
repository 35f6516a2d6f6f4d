import { SupervisorHandle } from "./supervisor-handle.ts";

/** Longer than it takes to load what a run needs. */
const spareMs = 10_000;

/**
 * A supervisor that starts while what its run needs is being loaded: both take about as long. One at most, for a while,
 * and no reason for the process to stay.
 */
export class SpareSupervisor {
  #spare: SupervisorHandle | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Says that a run is about to be opened. */
  prepare(): void {
    if (this.#spare !== undefined) {
      return;
    }
    const spare = new SupervisorHandle();
    spare.keepAlive(false);
    this.#spare = spare;
    void spare.exited.then(() => this.#forget(spare));
    this.#timer = setTimeout(() => {
      this.#forget(spare);
      spare.kill();
    }, spareMs).unref();
  }

  take(): SupervisorHandle {
    const spare = this.#spare ?? new SupervisorHandle();
    this.#forget(spare);
    spare.keepAlive(true);
    return spare;
  }

  #forget(spare: SupervisorHandle): void {
    if (this.#spare === spare) {
      this.#spare = undefined;
      clearTimeout(this.#timer);
    }
  }
}
