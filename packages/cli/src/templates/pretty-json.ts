import { isArray, isObject, type Value } from "@rad/templates";

/** Indented JSON that keeps every digit of an integer and the order of members, which a JavaScript object may not. */
export function prettyJson(value: Value, indent = ""): string {
  const inner = `${indent}  `;
  if (isArray(value)) {
    return block(
      "[",
      "]",
      indent,
      [...value].map((item) => inner + prettyJson(item, inner)),
    );
  }
  if (isObject(value)) {
    const members = [...value].map(([name, member]) => `${inner}${JSON.stringify(name)}: ${prettyJson(member, inner)}`);
    return block("{", "}", indent, members);
  }
  return typeof value === "bigint" ? value.toString() : JSON.stringify(value);
}

function block(open: string, close: string, indent: string, lines: readonly string[]): string {
  return lines.length === 0 ? open + close : `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}
