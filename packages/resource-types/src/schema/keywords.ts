import { atOnce, type JsonObject, type JsonValue, Pace } from "@rad/core";
import { canonicalJson } from "./canonical-json.ts";
import type { SchemaAt } from "./references.ts";
import { SchemaError } from "./schema-error.ts";
import type { AllowedValues, Bound, JsonType } from "./schema-node.ts";

// Each of these reads one keyword of a schema: `undefined` when it is absent, a SchemaError when it makes no sense.

/** `any` says what no type says; `enum` leaves the matter to the `enum` keyword. Both come from Radius manifests. */
const typesByName: ReadonlyMap<JsonValue, readonly JsonType[] | "any"> = new Map<
  JsonValue,
  readonly JsonType[] | "any"
>([
  ["string", ["string"]],
  ["number", ["number"]],
  ["integer", ["integer"]],
  ["boolean", ["boolean"]],
  ["object", ["object"]],
  ["array", ["array"]],
  ["null", ["null"]],
  ["any", "any"],
  ["enum", "any"],
]);

export function readTypes(at: SchemaAt): ReadonlySet<JsonType> | undefined {
  const value = own(at.schema, "type");
  if (value === undefined) {
    return undefined;
  }
  const types = new Set<JsonType>();
  for (const name of Array.isArray(value) ? value : [value]) {
    const known = typesByName.get(name);
    if (known === undefined) {
      throw new SchemaError(
        [...at.path, "type"],
        "must be string, number, integer, boolean, object, array, enum or any.",
      );
    }
    if (known === "any") {
      return undefined;
    }
    known.forEach((type) => types.add(type));
  }
  return types;
}

export function readAllowed(at: SchemaAt): AllowedValues | undefined {
  const values = readList(at, "enum");
  if (values === undefined) {
    return undefined;
  }
  const texts = values.map((value) => atOnce(canonicalJson(value, new Pace())) ?? "");
  const shown = texts.slice(0, 20).join(", ");
  const display = texts.length > 20 || shown.length > 500 ? `${shown.slice(0, 500)}, …` : shown;
  return { texts: new Set(texts), display };
}

/** OpenAPI 3.0 makes a bound exclusive with a boolean beside it, later versions with a number of its own. */
export function readBound(
  at: SchemaAt,
  keyword: string,
  exclusiveKeyword: string,
  stricter: (a: number, b: number) => number,
): Bound | undefined {
  const value = readNumber(at, keyword);
  const mark = own(at.schema, exclusiveKeyword);
  if (mark === undefined || typeof mark === "boolean") {
    return value === undefined ? undefined : { value, exclusive: mark === true };
  }
  const limit = readNumber(at, exclusiveKeyword) ?? 0;
  const exclusive = value === undefined || stricter(value, limit) === limit;
  return { value: exclusive ? limit : value, exclusive };
}

export function readRequired(at: SchemaAt): string[] {
  return (readList(at, "required") ?? []).map((name, index) => {
    if (typeof name !== "string") {
      throw new SchemaError([...at.path, "required", index], "must be a string.");
    }
    return name;
  });
}

export function readList(at: SchemaAt, keyword: string): JsonValue[] | undefined {
  const value = own(at.schema, keyword);
  if (value !== undefined && !Array.isArray(value)) {
    throw new SchemaError([...at.path, keyword], "must be an array.");
  }
  return value;
}

export function readText(at: SchemaAt, keyword: string): string | undefined {
  const value = own(at.schema, keyword);
  if (value !== undefined && typeof value !== "string") {
    throw new SchemaError([...at.path, keyword], "must be a string.");
  }
  return value;
}

export function readFlag(at: SchemaAt, keyword: string): boolean {
  const value = own(at.schema, keyword);
  if (value !== undefined && typeof value !== "boolean") {
    throw new SchemaError([...at.path, keyword], "must be true or false.");
  }
  return value === true;
}

export function readNumber(at: SchemaAt, keyword: string): number | undefined {
  const value = own(at.schema, keyword);
  if (value !== undefined && (typeof value !== "number" || !Number.isFinite(value))) {
    throw new SchemaError([...at.path, keyword], "must be a number.");
  }
  return value;
}

export function readCount(at: SchemaAt, keyword: string): number | undefined {
  const value = readNumber(at, keyword);
  if (value !== undefined && (!Number.isInteger(value) || value < 0)) {
    throw new SchemaError([...at.path, keyword], "must be a whole number, 0 or more.");
  }
  return value;
}

export function own(schema: JsonObject, keyword: string): JsonValue | undefined {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}
