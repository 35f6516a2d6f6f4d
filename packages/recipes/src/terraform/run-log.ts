/** What a run printed, without secrets: its end, as far as the store keeps it. */
export class RunLog {
  readonly #lines: string[] = [];
  #characters = 0;
  #dropped = 0;

  add(line: string): void {
    this.#lines.push(line);
    this.#characters += line.length + 1;
    while (this.#characters > maxCharacters && this.#lines.length > 1) {
      this.#characters -= (this.#lines.shift()?.length ?? 0) + 1;
      this.#dropped += 1;
    }
  }

  text(): string {
    const head = this.#dropped === 0 ? [] : [`(${this.#dropped} lines before this one are not kept)`];
    return [...head, ...this.#lines, ""].join("\n");
  }
}

const maxCharacters = 240 * 1024;
