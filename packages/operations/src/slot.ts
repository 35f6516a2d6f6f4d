/**
 * One run's claim to one of the worker's slots:
 *
 *     held ── giveBack ──→ without ── claim ──→ wanted ── grant ──→ held
 *       └──────────────────── end, from any state ─────────────────→ over
 */
export class Slot {
  readonly #onWanted: (slot: Slot) => void;
  #freed = Promise.withResolvers<void>();
  #wanted: PromiseWithResolvers<void> | undefined;
  #isOver = false;

  constructor(onWanted: (slot: Slot) => void) {
    this.#onWanted = onWanted;
  }

  /** Resolves when the run has given the slot back, or has ended. */
  get whenFree(): Promise<void> {
    return this.#freed.promise;
  }

  giveBack(): void {
    this.#freed.resolve();
  }

  /** Resolves when the run has a slot again. */
  claim(): Promise<void> {
    if (this.#isOver) {
      return Promise.resolve();
    }
    if (this.#wanted === undefined) {
      this.#wanted = Promise.withResolvers();
      this.#onWanted(this);
    }
    return this.#wanted.promise;
  }

  /** @returns whether the run still wants it. */
  grant(): boolean {
    if (this.#wanted === undefined) {
      return false;
    }
    this.#freed = Promise.withResolvers();
    this.#wanted.resolve();
    this.#wanted = undefined;
    return true;
  }

  end(): void {
    this.#isOver = true;
    this.#freed.resolve();
    this.#wanted?.resolve();
    this.#wanted = undefined;
  }
}
