import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";

/** Keywords of OpenAPI 3.0 whose value stays as it is, with what that value must be. */
const plainKeywords = new Map<string, (value: JsonValue) => boolean>([
  ...["title", "description", "format", "pattern"].map((name) => [name, isText] as const),
  ...["readOnly", "writeOnly", "deprecated", "uniqueItems"].map((name) => [name, isFlag] as const),
  ...["minimum", "maximum", "multipleOf"].map((name) => [name, isNumber] as const),
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map(
    (name) => [name, isNumber] as const,
  ),
  ...["required", "enum"].map((name) => [name, isFilledList] as const),
  ["default", () => true],
  ["example", () => true],
]);

const types = new Set<JsonValue>(["string", "number", "integer", "boolean", "object", "array"]);
const lists = ["allOf", "anyOf", "oneOf"];
const bounds = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
] as const;

/** OpenAPI 3.0 has no place for definitions inside a schema; extensions may hold anything, and be referred to. */
const definitions: readonly (readonly [keyword: string, extension: string])[] = [
  ["$defs", "x-defs"],
  ["definitions", "x-definitions"],
];

/**
 * The schema of a resource type as OpenAPI 3.0 writes it. Registered schemas may have keywords of later versions, the
 * types `any` and `enum`, and references that start at their own root.
 *
 * @param root where the schema is in the document.
 */
export function openApiSchema(schema: JsonValue, root: string): JsonObject {
  if (!isJsonObject(schema)) {
    return {};
  }
  const below = (value: JsonValue): JsonObject => openApiSchema(value, root);
  const eachBelow = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, item]) => [name, below(item)]));
  const result: JsonObject = { ...typeOf(schema) };
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith("x-") || plainKeywords.get(keyword)?.(value) === true) {
      result[keyword] = value;
    } else if (lists.includes(keyword) && Array.isArray(value) && value.length > 0) {
      const parts = value.map(below);
      if (keyword === "allOf" || parts.length === 1) {
        addToAll(result, parts); // one alternative is no choice
      } else {
        result[keyword] = parts;
      }
    } else if (keyword === "properties" && isJsonObject(value)) {
      result[keyword] = eachBelow(value);
    } else if (keyword === "items" || keyword === "not") {
      result[keyword] = below(value);
    } else if (keyword === "additionalProperties") {
      result[keyword] = typeof value === "boolean" ? value : below(value);
    }
  }
  for (const [keyword, extension] of definitions) {
    const values = schema[keyword];
    if (isJsonObject(values)) {
      result[extension] = eachBelow(values);
    }
  }
  addExclusiveBounds(schema, result);
  if (result["type"] === "array") {
    result["items"] ??= {};
  }
  addDiscriminator(schema, result, root);
  return withReference(schema, result, root);
}

/** OpenAPI 3.0 has one type, and `nullable` beside it. */
function typeOf(schema: JsonObject): JsonObject {
  const names = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  const known = names.filter((name) => name !== undefined && types.has(name)) as JsonValue[];
  const isFree = known.length + (names.includes("null") ? 1 : 0) !== names.length; // `any`, `enum`, or none at all
  if (isFree) {
    return {};
  }
  const nullable: JsonObject = names.includes("null") || schema["nullable"] === true ? { nullable: true } : {};
  const [only] = known;
  if (only === undefined) {
    return { type: "string", enum: [null], ...nullable };
  }
  if (known.length === 1) {
    return { type: only, ...nullable };
  }
  return { allOf: [{ anyOf: known.map((type) => ({ type, ...nullable })) }] };
}

/** Later versions have the bound itself where 3.0 has a flag beside it. */
function addExclusiveBounds(schema: JsonObject, result: JsonObject): void {
  for (const [keyword, bound] of bounds) {
    const value = schema[keyword];
    if (typeof value === "boolean") {
      result[keyword] = value;
    } else if (typeof value === "number") {
      const other = schema[bound];
      const isStricter =
        typeof other !== "number" || (keyword === "exclusiveMinimum" ? value >= other : value <= other);
      Object.assign(result, isStricter ? { [bound]: value, [keyword]: true } : {});
    }
  }
}

/** Only among references: OpenAPI ignores a discriminator over inline schemas, which tell themselves apart by `enum`. */
function addDiscriminator(schema: JsonObject, result: JsonObject, root: string): void {
  const { discriminator } = schema;
  const alternatives = [schema["oneOf"], schema["anyOf"]].find(Array.isArray) ?? [];
  const areReferences = alternatives.length > 0 && alternatives.every((item) => isJsonObject(item) && "$ref" in item);
  if (!areReferences || !isJsonObject(discriminator) || typeof discriminator["propertyName"] !== "string") {
    return;
  }
  const { propertyName, mapping } = discriminator;
  const moved = Object.entries(isJsonObject(mapping) ? mapping : {}).flatMap(([name, to]) =>
    typeof to === "string" ? [[name, relocate(to, root)] as const] : [],
  );
  result["discriminator"] = {
    propertyName,
    ...(moved.length === 0 ? {} : { mapping: Object.fromEntries(moved) }),
  };
}

/** OpenAPI 3.0 ignores what stands beside a reference, so that goes into `allOf`, unless it stands alone. */
function withReference(schema: JsonObject, result: JsonObject, root: string): JsonObject {
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    addToAll(result, [{ $ref: relocate(reference, root) }]);
  }
  const { allOf, ...others } = result;
  const [only, second] = Array.isArray(allOf) ? allOf : [];
  return isJsonObject(only) && second === undefined && Object.keys(others).length === 0 ? only : result;
}

function addToAll(result: JsonObject, parts: readonly JsonObject[]): void {
  const { allOf } = result;
  result["allOf"] = [...(Array.isArray(allOf) ? allOf : []), ...parts];
}

function relocate(reference: string, root: string): string {
  if (!reference.startsWith("#")) {
    return reference;
  }
  const renamed = definitions.reduce(
    (path, [keyword, extension]) => path.replaceAll(`/${keyword}/`, `/${extension}/`),
    reference.slice(1),
  );
  return root + renamed;
}

function isText(value: JsonValue): boolean {
  return typeof value === "string";
}

function isFlag(value: JsonValue): boolean {
  return typeof value === "boolean";
}

function isNumber(value: JsonValue): boolean {
  return typeof value === "number";
}

function isFilledList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 0;
}
