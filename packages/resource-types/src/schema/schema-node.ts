import type { JsonValue } from "@rad/core";
import type { Format } from "./formats.ts";
import type { Pattern } from "./pattern.ts";

export type JsonType = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

/** A use of a shape: the marks stand beside a `$ref` as well as at its target, and either place counts. */
export interface SchemaNode {
  readonly shape: Shape;
  readonly readOnly: boolean;
  readonly sensitive: boolean;
  readonly defaultValue: JsonValue | undefined;
}

/**
 * What a schema says about a value, once per schema object however often it is referred to. Recursive schemas are
 * graphs of these, so whoever follows them is led by the value and not by the shapes.
 */
export interface Shape {
  /** `undefined` lets every type pass. */
  readonly types: ReadonlySet<JsonType> | undefined;
  readonly nullable: boolean;
  readonly allowed: AllowedValues | undefined;

  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: Pattern | undefined;
  readonly format: Format | undefined;

  readonly minimum: Bound | undefined;
  readonly maximum: Bound | undefined;
  readonly multipleOf: number | undefined;

  readonly items: SchemaNode | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;

  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: ReadonlySet<string>;
  /** For the members that `properties` does not name; `false` forbids them, `undefined` lets them pass. */
  readonly additional: SchemaNode | false | undefined;
  /** Whether `additionalProperties` says what becomes of other members. */
  readonly isOpen: boolean;
  /** Members that the schema does not name are left out of what is stored (`x-radius-unknown: drop`). */
  readonly dropsUnknown: boolean;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;

  /** Members by the value of a discriminator. Marks and defaults inside count, because the value is decisive. */
  readonly variants: Variants | undefined;

  /** Alternatives without a discriminator only decide whether a value is valid: no mark or default stands below them. */
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
}

export interface Variants {
  readonly propertyName: string;
  /** The whole object's shape for each value: common members and the variant's own. */
  readonly byValue: ReadonlyMap<string, Shape>;
  /** For an object whose discriminator is missing or wrong: only the common members are known. */
  readonly undecided: Shape;
  /** The allowed values, for messages. */
  readonly display: string;
}

export interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

export interface AllowedValues {
  /** Canonical text of each value, see `canonicalJson`. */
  readonly texts: ReadonlySet<string>;
  readonly display: string;
}

/** The schema for the member `name` of an object, `undefined` when nothing is said about it. */
export function memberNode(shape: Shape, name: string): SchemaNode | undefined {
  const node = shape.properties.get(name) ?? shape.additional;
  return node === false ? undefined : node;
}

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

// Most schemas have none of these; sharing the empty ones halves the time that a large schema takes.
export const noProperties: ReadonlyMap<string, SchemaNode> = new Map();
export const noNames: ReadonlySet<string> = new Set();
export const noBranches: readonly SchemaNode[] = [];

/** Lets everything pass. */
export function emptyShape(): Mutable<Shape> {
  return {
    types: undefined,
    nullable: false,
    allowed: undefined,
    minLength: undefined,
    maxLength: undefined,
    pattern: undefined,
    format: undefined,
    minimum: undefined,
    maximum: undefined,
    multipleOf: undefined,
    items: undefined,
    minItems: undefined,
    maxItems: undefined,
    uniqueItems: false,
    properties: noProperties,
    required: noNames,
    additional: undefined,
    isOpen: false,
    dropsUnknown: false,
    variants: undefined,
    minProperties: undefined,
    maxProperties: undefined,
    allOf: noBranches,
    anyOf: noBranches,
    oneOf: noBranches,
    not: undefined,
  };
}
