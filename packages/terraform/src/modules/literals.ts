import { isJsonObject, setMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";

/**
 * Reads attributes of a file. In the JSON form of native syntax every string is a template: an expression stands in
 * `${}`, and the text `${` is written `$${`. In a `.tf.json` file, these attributes are taken literally.
 */
export interface Literals {
  /** `undefined` when the value is, or has in it, an expression. */
  value(value: JsonValue | undefined): JsonValue | undefined;
  text(value: JsonValue | undefined): string | undefined;
  flag(value: JsonValue | undefined): boolean;
  /** The source text of an expression, or a text that stands for one. */
  expression(value: JsonValue | undefined): string | undefined;
}

export const jsonLiterals: Literals = literals((text) => text);

export const nativeLiterals: Literals = literals((text) =>
  // What remains after the escapes are taken out is an interpolation or a directive.
  /[$%]\{/u.test(text.replaceAll(/\$\$\{|%%\{/gu, "")) ? undefined : text.replaceAll(/([$%])\1\{/gu, "$1{"),
);

function literals(textOf: (text: string) => string | undefined): Literals {
  const value = (from: JsonValue | undefined): JsonValue | undefined => {
    if (typeof from === "string") {
      return textOf(from);
    }
    if (Array.isArray(from)) {
      const items = from.map(value);
      return items.every((item) => item !== undefined) ? items : undefined;
    }
    return isJsonObject(from) ? object(from) : from;
  };
  const object = (from: JsonObject): JsonObject | undefined => {
    const copy: JsonObject = {};
    for (const [name, member] of Object.entries(from)) {
      const [key, read] = [textOf(name), value(member)];
      if (key === undefined || read === undefined) {
        return undefined;
      }
      setMember(copy, key, read);
    }
    return copy;
  };
  const text = (from: JsonValue | undefined): string | undefined => {
    const read = value(from);
    return typeof read === "number" || typeof read === "boolean"
      ? String(read)
      : typeof read === "string"
        ? read
        : undefined;
  };
  return {
    value,
    text,
    flag: (from) => text(from) === "true",
    expression: (from) => (typeof from !== "string" ? undefined : (text(from) ?? /^\$\{(.*)\}$/su.exec(from)?.[1])),
  };
}
