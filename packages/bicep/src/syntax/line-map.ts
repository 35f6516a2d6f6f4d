/** A place as users count it: both numbers start at 1, and columns are UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

const lineFeed = 10;
const carriageReturn = 13;

/** Turns offsets into lines and columns. The line starts are found on first use and kept. */
export class LineMap {
  readonly #text: string;
  #starts: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get lineCount(): number {
    return this.#lineStarts().length;
  }

  /** Offsets outside the text count as its nearest end. */
  position(offset: number): Position {
    const starts = this.#lineStarts();
    const inside = Math.max(0, Math.min(offset, this.#text.length));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= inside) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return { line: low + 1, column: inside - (starts[low] ?? 0) + 1 };
  }

  /** Where a line (1-based) starts; lines past the last one start at the end of the text. */
  lineStart(line: number): number {
    return this.#lineStarts()[line - 1] ?? this.#text.length;
  }

  #lineStarts(): readonly number[] {
    this.#starts ??= findLineStarts(this.#text);
    return this.#starts;
  }
}

function findLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    const endsLine = char === lineFeed || (char === carriageReturn && text.charCodeAt(at + 1) !== lineFeed);
    if (endsLine) {
      starts.push(at + 1);
    }
  }
  return starts;
}
