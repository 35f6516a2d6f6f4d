import type { JsonValue } from "@rad/core";

/** Writes a value the way a Bicep file would. */
export function printBicep(value: JsonValue, indent = ""): string {
  const deeper = `${indent}  `;
  if (typeof value === "string") {
    return quoted(value);
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => `${deeper}${printBicep(item, deeper)}\n`);
    return items.length === 0 ? "[]" : `[\n${items.join("")}${indent}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${deeper}${isIdentifier(name) ? name : quoted(name)}: ${printBicep(member, deeper)}\n`,
    );
    return members.length === 0 ? "{}" : `{\n${members.join("")}${indent}}`;
  }
  return String(value);
}

function isIdentifier(name: string): boolean {
  return /^[a-z_]\w*$/iu.test(name);
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const escaped = text.replaceAll(/[\\'\n\r\t]|\$(?=\{)|[\u0000-\u001f\u007f-\u009f]/gu, (found) => {
    const code = found.codePointAt(0) ?? 0;
    return escapes[found] ?? (found === "$" ? "\\$" : `\\u{${code.toString(16)}}`);
  });
  return `'${escaped}'`;
}
