/** How far a container's log has been read, so that a new connection neither repeats nor leaves out a line. */
export class LogPosition {
  #time: string | undefined;
  #linesAtTime = 0;
  #toSkip = 0;

  /** For `sinceTime`, which counts whole seconds: lines of the last one come again. */
  get since(): string | undefined {
    return this.#time;
  }

  /** Call before a new connection is read. */
  resume(): void {
    this.#toSkip = this.#linesAtTime;
  }

  /** The text of a line that starts with its time, or `undefined` when it has been read before. */
  take(line: string): string | undefined {
    const [prefix, seconds, fraction = "", zone] =
      /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)(?: |$)/.exec(line) ?? [];
    if (prefix === undefined) {
      return line;
    }
    // Not every node prints all nine digits. All lines of a node are in one zone.
    const time = `${seconds}.${fraction.padEnd(9, "0")}${zone}`;
    if (this.#time !== undefined && time < this.#time) {
      return undefined;
    }
    if (time === this.#time && this.#toSkip > 0) {
      this.#toSkip -= 1;
      return undefined;
    }
    this.#linesAtTime = time === this.#time ? this.#linesAtTime + 1 : 1;
    this.#toSkip = 0;
    this.#time = time;
    return line.slice(prefix.length);
  }
}
