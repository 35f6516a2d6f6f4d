import type { JsonObject, JsonValue } from "@rad/core";

// How the schemas of built-in types are written: each of these is one piece of OpenAPI with its description.

export type Properties = Readonly<Record<string, JsonObject>>;

export function text(description: string, more: JsonObject = {}): JsonObject {
  return { type: "string", description, ...more };
}

export function flag(description: string, more: JsonObject = {}): JsonObject {
  return { type: "boolean", description, ...more };
}

export function integer(description: string, more: JsonObject = {}): JsonObject {
  return { type: "integer", format: "int32", description, ...more };
}

export function number(description: string, more: JsonObject = {}): JsonObject {
  return { type: "number", description, ...more };
}

export function choice(description: string, values: readonly string[], more: JsonObject = {}): JsonObject {
  return { type: "string", enum: [...values], description, ...more };
}

export function list(description: string, items: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "array", items, description, ...more };
}

/** An object whose member names are the author's own. */
export function map(description: string, value: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "object", additionalProperties: value, description, ...more };
}

export function object(
  description: string,
  properties: Properties,
  required: readonly string[] = [],
  more: JsonObject = {},
): JsonObject {
  return { type: "object", description, properties: { ...properties }, ...requiredOf(required), ...more };
}

/** An object that keeps members beyond those it names. */
export function openObject(description: string, properties: Properties, required: readonly string[] = []): JsonObject {
  return object(description, properties, required, { additionalProperties: true });
}

/** An object in which an unknown member is an error: leaving it out could change what the rest means. */
export function strictObject(
  description: string,
  properties: Properties,
  required: readonly string[] = [],
): JsonObject {
  return object(description, properties, required, { additionalProperties: false });
}

/** Any JSON at all. */
export function anything(description: string): JsonObject {
  return { description };
}

export function readOnly(schema: JsonObject): JsonObject {
  return { ...schema, readOnly: true };
}

/** A value that is sealed when it is stored, and shown as `null`. */
export function sensitive(schema: JsonObject): JsonObject {
  return { ...schema, "x-radius-sensitive": true };
}

/** A sensitive value that may be absent; clients that send back what they read give `null` for it. */
export function optionalSecret(schema: JsonObject): JsonObject {
  return sensitive({ ...schema, nullable: true });
}

export interface Variant {
  readonly description: string;
  readonly properties: Properties;
  readonly required?: readonly string[];
}

export interface VariantsOptions {
  readonly description: string;
  /** The member whose value chooses. */
  readonly by: string;
  readonly byDescription: string;
  /** What all variants have. */
  readonly common?: Properties;
  readonly required?: readonly string[];
  readonly variants: Readonly<Record<string, Variant>>;
}

/** An object whose members depend on the value of one of them. `withMappings` completes it. */
export function variants(options: VariantsOptions): JsonObject {
  const { description, by, byDescription, common = {}, required = [] } = options;
  const values = Object.keys(options.variants);
  return {
    type: "object",
    description,
    properties: { [by]: choice(byDescription, values), ...common },
    required: [by, ...required],
    discriminator: {
      propertyName: by,
      mapping: Object.fromEntries(values.map((value, index) => [value, `/oneOf/${index}`])),
    },
    oneOf: Object.entries(options.variants).map(([value, variant]): JsonObject => ({
      type: "object",
      description: variant.description,
      properties: { [by]: { type: "string", enum: [value] }, ...variant.properties },
      required: [by, ...(variant.required ?? [])],
    })),
  };
}

function requiredOf(names: readonly string[]): Record<string, JsonValue> {
  return names.length === 0 ? {} : { required: [...names] };
}
