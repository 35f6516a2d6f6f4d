import type { JsonValue } from "@rad/core";
import { SchemaError } from "./schema-error.ts";

/** A level of `properties` takes two levels of JSON, so this leaves room for 32 of them. */
const maxJsonDepth = 64;
const maxSize = 256 * 1024;

/**
 * Refuses a schema that is too deep or too large before anything recurses into it. The size counts characters of text
 * and one for every value and separator, which is the length of the JSON to within a few percent.
 *
 * @throws SchemaError
 */
export function checkLimits(schema: JsonValue): void {
  let size = 0;

  const visit = (value: JsonValue, depth: number): void => {
    size += typeof value === "string" ? value.length + 3 : 3;
    if (size > maxSize) {
      throw new SchemaError([], `The schema is larger than ${maxSize / 1024} KiB.`);
    }
    if (typeof value !== "object" || value === null) {
      return;
    }
    if (depth >= maxJsonDepth) {
      throw new SchemaError(
        [],
        `The schema is nested too deeply; ${maxJsonDepth / 2} levels of properties are allowed.`,
      );
    }
    for (const [key, member] of Object.entries(value)) {
      size += Array.isArray(value) ? 0 : key.length + 3;
      visit(member, depth + 1);
    }
  };
  visit(schema, 0);
}
