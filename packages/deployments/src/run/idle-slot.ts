/** Short waits keep the slot: giving it back and taking it again costs more than it brings. */
const patienceMs = 20;

/**
 * Gives the slot of a deployment's operation back while nothing of the tree does anything but wait: for operations of
 * resources, for a pause to pass, or for parts of the tree that do so. Counts the parts that are active:
 *
 *     some active ── none, for a moment ──→ without a slot ── one wants to go on ──→ returning ── slot ──→ some active
 *
 * A part that goes on waits until the slot is back.
 */
export class IdleSlot {
  readonly #withoutSlot: (work: () => Promise<void>) => Promise<void>;
  readonly #patienceMs: number;
  /** Starts with the code that runs the tree. */
  #active = 1;
  #timer: NodeJS.Timeout | undefined;
  #away: { readonly goOn: () => void; readonly back: Promise<void> } | undefined;

  /** @param withoutSlot gives the slot back until its work resolves, and resolves when it has one again. */
  constructor(withoutSlot: (work: () => Promise<void>) => Promise<void>, idleMs = patienceMs) {
    this.#withoutSlot = withoutSlot;
    this.#patienceMs = idleMs;
  }

  /** Runs a part of the tree beside others. */
  async part<T>(work: () => Promise<T>): Promise<T> {
    const back = this.#enter();
    try {
      if (back !== undefined) {
        await back;
      }
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Inside a part: runs something that only waits. */
  async waiting<T>(work: () => Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await work();
    } finally {
      const back = this.#enter();
      if (back !== undefined) {
        await back;
      }
    }
  }

  #leave(): void {
    this.#active -= 1;
    if (this.#active === 0) {
      this.#timer = setTimeout(() => this.#giveBack(), this.#patienceMs);
    }
  }

  /** @returns what to wait for before going on, if anything. */
  #enter(): Promise<void> | undefined {
    this.#active += 1;
    clearTimeout(this.#timer);
    this.#away?.goOn();
    return this.#away?.back;
  }

  #giveBack(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const back = this.#withoutSlot(() => promise).finally(() => {
      this.#away = undefined;
    });
    this.#away = { goOn: resolve, back };
  }
}
