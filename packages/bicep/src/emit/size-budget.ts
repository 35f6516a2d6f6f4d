/** How many characters one compiled file may have, its modules included. Templates beyond 4 MB cannot be deployed. */
const maxCharacters = 1 << 25;

/** The output would be larger or deeper than anything that can be deployed. */
export class EmitLimitError extends Error {
  override readonly name = "EmitLimitError";
}

/**
 * Variables that need run-time values are emitted at each place that uses them, so a few lines of source can stand for
 * gigabytes of output. Everything that is printed is counted here first.
 */
export class SizeBudget {
  #left = maxCharacters;

  spend(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) {
      throw new EmitLimitError("The compiled template is too large.");
    }
  }
}
