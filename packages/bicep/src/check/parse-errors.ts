import type { Diagnostic, Span } from "../diagnostic.ts";

/** Where the parser had to complain. What stands around such a place is not checked as a whole. */
export class ParseErrors {
  readonly #starts: readonly number[];

  constructor(diagnostics: readonly Diagnostic[]) {
    this.#starts = diagnostics.map((diagnostic) => diagnostic.span.start).sort((left, right) => left - right);
  }

  isInside(span: Span): boolean {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) < span.start) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const next = this.#starts[low];
    return next !== undefined && next < span.end;
  }
}
