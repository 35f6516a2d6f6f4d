import { isJsonObject, type JsonValue } from "@rad/core";

/**
 * The values behind placeholders. `{{name}}` in an expectation takes what it finds the first time, and must find the same
 * again afterwards; in a request it stands for what was found. `{{name:kind}}` takes a text of that kind only, and
 * `{{:kind}}` forgets it.
 */
export class Captures {
  readonly #values: Map<string, string>;

  constructor(known: Iterable<readonly [string, string]> = []) {
    this.#values = new Map(known);
  }

  /** What is known now; a comparison that fails leaves nothing behind when it works on a copy. */
  copy(): Captures {
    return new Captures(this.#values);
  }

  fill(text: string): string {
    return text.replaceAll(placeholder, (whole, name: string) => {
      const value = this.#values.get(name);
      if (value === undefined) {
        throw new Error(`${whole} is used before anything was found for it.`);
      }
      return value;
    });
  }

  fillAll(value: JsonValue): JsonValue {
    if (typeof value === "string") {
      return this.fill(value);
    }
    if (Array.isArray(value)) {
      return value.map((item) => this.fillAll(item));
    }
    return isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [this.fill(name), this.fillAll(member)]))
      : value;
  }

  /** Whether a text is what is expected; takes what its placeholders find. */
  matches(expected: string, actual: string): boolean {
    const names: string[] = [];
    const pattern = expected
      .split(placeholder)
      .map((part, index, parts) => {
        switch (index % 3) {
          case 0:
            return RegExp.escape(part);
          case 1: {
            const known = this.#values.get(part);
            const kind = kinds[parts[index + 1] ?? ""] ?? ".+?";
            names.push(part);
            return known === undefined ? `(${kind})` : `(${RegExp.escape(known)})`;
          }
          default:
            return "";
        }
      })
      .join("");
    const found = new RegExp(`^${pattern}$`, "s").exec(actual);
    if (found === null) {
      return false;
    }
    names.forEach((name, index) => name !== "" && this.#values.set(name, found[index + 1] ?? ""));
    return true;
  }
}

const placeholder = /\{\{(\w*)(?::(\w+))?\}\}/g;

const kinds: Readonly<Record<string, string>> = {
  uuid: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
  time: String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z`,
  any: ".*",
};
