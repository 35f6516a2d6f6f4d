/** So many waits of one operation may follow each other before anybody looks whether there is anything to wait for. */
const trusted = 3;
const firstPauseMs = 100;
const longestPauseMs = 15_000;
/** Operations may end in another process; what is forgotten too early is merely trusted again. */
const maxRemembered = 10_000;

/**
 * Slows operations down that wait again and again for what has ended, and would otherwise spin until their deadline.
 * Costs nothing before an operation waits for the fourth time.
 */
export class IdleParks {
  readonly #inARow = new Map<string, number>();

  /** @returns how long the operation has to pause in place of a wait that would be over at once. */
  async pauseMs(operationId: string, isOver: () => Promise<boolean>): Promise<number | undefined> {
    const before = this.#inARow.get(operationId) ?? 0;
    this.#remember(operationId, before + 1);
    if (before < trusted) {
      return undefined;
    }
    if (!(await isOver())) {
      this.#inARow.delete(operationId);
      return undefined;
    }
    return Math.min(longestPauseMs, firstPauseMs * 2 ** (before - trusted));
  }

  /** The operation ended, or went on in another way. */
  forget(operationId: string): void {
    this.#inARow.delete(operationId);
  }

  #remember(operationId: string, count: number): void {
    this.#inARow.delete(operationId);
    this.#inARow.set(operationId, count);
    const [oldest] = this.#inARow.keys();
    if (this.#inARow.size > maxRemembered && oldest !== undefined) {
      this.#inARow.delete(oldest);
    }
  }
}
