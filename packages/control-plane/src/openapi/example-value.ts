import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";

const maxDepth = 8;
/** References multiply what a small schema asks for. */
const maxValues = 500;

/** Keywords that say more about a value than this file can satisfy. */
const tooHard = ["pattern", "anyOf", "not", "multipleOf", "minProperties", "uniqueItems"];

const byFormat: Readonly<Record<string, string>> = {
  "date-time": "2025-01-01T00:00:00Z",
  date: "2025-01-01",
  uuid: "00000000-0000-0000-0000-000000000001",
  email: "somebody@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com",
  byte: "aGVsbG8=",
};

/**
 * The smallest value that fits a schema in the form of OpenAPI 3.0: what is required, and nothing else. `undefined` when
 * the schema asks for more than can be made up.
 */
export function exampleValue(
  schema: JsonObject,
  resolve: (reference: string) => JsonValue | undefined,
): JsonValue | undefined {
  let values = 0;
  const make = (value: JsonValue | undefined, name: string, depth: number): JsonValue | undefined => {
    values += 1;
    if (!isJsonObject(value) || depth > maxDepth || values > maxValues) {
      return undefined;
    }
    const { $ref: reference, example, default: standard, enum: allowed, oneOf, allOf } = value;
    const given = example ?? standard ?? (Array.isArray(allowed) ? allowed[0] : undefined);
    if (given !== undefined) {
      return given;
    }
    if (typeof reference === "string") {
      return make(resolve(reference), name, depth + 1);
    }
    if (tooHard.some((keyword) => value[keyword] !== undefined)) {
      return undefined;
    }
    if (Array.isArray(oneOf) || Array.isArray(allOf)) {
      const parts = [...(Array.isArray(allOf) ? allOf : []), ...(Array.isArray(oneOf) ? oneOf.slice(0, 1) : [])];
      return makeOfParts(value, parts, name, depth);
    }
    switch (value["type"]) {
      case "string":
        return textFor(value, name);
      case "integer":
      case "number":
        return numberFor(value);
      case "boolean":
        return true;
      case "array":
        return makeArray(value, name, depth);
      default:
        return makeObject(value, depth);
    }
  };
  const makeObject = (value: JsonObject, depth: number): JsonObject | undefined => {
    const { properties, required } = value;
    const result: JsonObject = {};
    for (const name of namesIn(required)) {
      const property = isJsonObject(properties) ? properties[name] : undefined;
      if (isJsonObject(property) && property["readOnly"] === true) {
        continue; // set by the server
      }
      const member = make(property, name, depth + 1);
      if (member === undefined) {
        return undefined;
      }
      result[name] = member;
    }
    return result;
  };
  const makeArray = ({ items, minItems }: JsonObject, name: string, depth: number): JsonValue[] | undefined => {
    const least = typeof minItems === "number" ? minItems : 0;
    const result: JsonValue[] = [];
    while (result.length < least) {
      const item = make(items, name, depth + 1);
      if (item === undefined) {
        return undefined;
      }
      result.push(item);
    }
    return result;
  };
  /** What the schema asks for, and what each of its parts asks for. */
  const makeOfParts = (
    value: JsonObject,
    parts: readonly JsonValue[],
    name: string,
    depth: number,
  ): JsonValue | undefined => {
    let result: JsonObject = {};
    for (const part of parts) {
      const made = make(part, name, depth + 1);
      if (!isJsonObject(made)) {
        return parts.length === 1 ? made : undefined;
      }
      result = { ...result, ...made };
    }
    const common = makeObject({ ...value, required: missingFrom(result, value["required"]) }, depth);
    return common === undefined ? undefined : { ...common, ...result };
  };
  return make(schema, "value", 0);
}

function missingFrom(value: JsonObject, required: JsonValue | undefined): string[] {
  return namesIn(required).filter((name) => !Object.hasOwn(value, name));
}

function namesIn(required: JsonValue | undefined): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function textFor({ format, minLength, maxLength }: JsonObject, name: string): string | undefined {
  const text = (typeof format === "string" ? byFormat[format] : undefined) ?? name;
  const tooShort = typeof minLength === "number" && text.length < minLength;
  const tooLong = typeof maxLength === "number" && text.length > maxLength;
  return tooShort || tooLong ? undefined : text;
}

function numberFor({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): number | undefined {
  const least = typeof minimum === "number" ? Math.ceil(minimum) + (exclusiveMinimum === true ? 1 : 0) : undefined;
  const most = typeof maximum === "number" ? Math.floor(maximum) - (exclusiveMaximum === true ? 1 : 0) : undefined;
  const value = least ?? Math.min(1, most ?? 1);
  return most !== undefined && value > most ? undefined : value;
}
