import type { JsonValue } from "@rad/core";

interface Place {
  /** Of the line that the value begins on. */
  readonly indent: string;
  /** Names of members on the way to the value, with blanks between them. */
  readonly path: string;
  /** The expression for a value that is not known. */
  readonly hidden: (path: string) => string;
}

/** A JSON value as a Bicep expression; `null` stands for a value that is not known. */
export function valueText(value: JsonValue, place: Place): string {
  const { indent, path, hidden } = place;
  const inner = `${indent}  `;
  const below = (name: string | number): Place => ({ indent: inner, path: `${path} ${name}`, hidden });
  if (value === null) {
    return hidden(path);
  }
  if (Array.isArray(value)) {
    const items = value.map((item, index) => `${inner}${valueText(item, below(index))}\n`);
    return items.length === 0 ? "[]" : `[\n${items.join("")}${indent}]`;
  }
  switch (typeof value) {
    case "object": {
      const members = Object.entries(value).map(
        ([name, member]) => `${inner}${keyText(name)}: ${valueText(member, below(name))}\n`,
      );
      return members.length === 0 ? "{}" : `{\n${members.join("")}${indent}}`;
    }
    case "string":
      return stringText(value);
    case "number":
      // Bicep has whole numbers only.
      return Number.isSafeInteger(value) ? String(value) : `json(${stringText(JSON.stringify(value))})`;
    case "boolean":
      return String(value);
    default:
      return value satisfies never;
  }
}

export function keyText(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/u.test(name) ? name : stringText(name);
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "'": "\\'", "\\": "\\\\" };

export function stringText(text: string): string {
  const escaped = text.replaceAll(/['\\\p{Cc}]|\$\{/gu, (part) =>
    part === "${" ? "\\${" : (escapes[part] ?? `\\u{${(part.codePointAt(0) ?? 0).toString(16)}}`),
  );
  return `'${escaped}'`;
}
