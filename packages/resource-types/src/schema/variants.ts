import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import type { PathSegment } from "@rad/core";
import { own, readText } from "./keywords.ts";
import type { SchemaAt } from "./references.ts";
import { SchemaError } from "./schema-error.ts";
import { emptyShape } from "./schema-node.ts";
import type { SchemaNode, Shape, Variants } from "./schema-node.ts";

/** A `discriminator` as it is written: the member that chooses, and the schema for each of its values. */
export interface DiscriminatorAt {
  readonly propertyName: string;
  readonly mapping: readonly {
    readonly value: string;
    readonly node: SchemaNode;
    readonly path: readonly PathSegment[];
  }[];
}

/**
 * Reads `discriminator`. Without a `mapping` it is a hint for documentation, and `oneOf` alone decides.
 *
 * @throws SchemaError
 */
export function readDiscriminator(
  at: SchemaAt,
  nodeAt: (schema: JsonValue, path: readonly PathSegment[]) => SchemaNode,
): DiscriminatorAt | undefined {
  const value = own(at.schema, "discriminator");
  const mapping = isJsonObject(value) ? own(value, "mapping") : undefined;
  if (!isJsonObject(value) || mapping === undefined) {
    return undefined;
  }
  const path = [...at.path, "discriminator"];
  const propertyName = readText({ schema: value, path }, "propertyName");
  if (propertyName === undefined) {
    throw new SchemaError([...path, "propertyName"], "is required.");
  }
  if (!isJsonObject(mapping) || Object.keys(mapping).length === 0) {
    throw new SchemaError([...path, "mapping"], "must be an object that names at least one variant.");
  }
  return {
    propertyName,
    mapping: Object.entries(mapping).map(([name, reference]) => {
      const place = [...path, "mapping", name];
      return { value: name, node: nodeAt({ $ref: reference }, place), path: place };
    }),
  };
}

/**
 * The shape of an object for each value of its discriminator: common members beside those of the variant. Everything
 * that follows a schema (validation, defaults, secrets) sees one plain object, so marks inside a variant count.
 *
 * @throws SchemaError for a variant that is more than an object with members.
 */
export function resolveVariants(common: Shape, discriminator: DiscriminatorAt): Variants {
  const { propertyName, mapping } = discriminator;
  const properties = new Map(common.properties).set(propertyName, discriminatorNode);
  const required = without(common.required, propertyName);
  const bare: Shape = { ...common, properties, required, variants: undefined, oneOf: [] };
  const byValue = new Map<string, Shape>();
  for (const { value, node, path } of mapping) {
    refuseMoreThanMembers(node, path);
    byValue.set(value, merge(bare, node.shape, propertyName, path));
  }
  // Whose members are unknown cannot be told from misspelled ones before the variant is known.
  const undecided: Shape = { ...bare, additional: undefined, dropsUnknown: false };
  const display = [...byValue.keys()].map((value) => JSON.stringify(value)).join(", ");
  return { propertyName, byValue, undecided, display };
}

/** The shape that holds for this very object: the chosen variant where there are several. */
export function shapeFor(shape: Shape, value: JsonObject): Shape {
  return shape.variants === undefined ? shape : (chosenVariant(shape.variants, value) ?? shape.variants.undecided);
}

/** `undefined` when the discriminator is absent or has none of its values. */
export function chosenVariant(variants: Variants, value: JsonObject): Shape | undefined {
  const chosen = own(value, variants.propertyName);
  return typeof chosen === "string" ? variants.byValue.get(chosen) : undefined;
}

/** The value is looked up in the mapping, and it has to stay readable: marks and defaults have no place on it. */
const discriminatorNode: SchemaNode = {
  shape: { ...emptyShape(), types: new Set(["string"]) },
  readOnly: false,
  sensitive: false,
  defaultValue: undefined,
};

function refuseMoreThanMembers({ shape, readOnly, sensitive }: SchemaNode, path: readonly PathSegment[]): void {
  const alternatives = shape.allOf.length + shape.anyOf.length + shape.oneOf.length;
  if (alternatives > 0 || shape.not !== undefined || shape.allowed !== undefined) {
    throw new SchemaError(path, "leads to a variant with alternatives of its own; a variant only lists members.");
  }
  if (readOnly || sensitive) {
    throw new SchemaError(path, "leads to a variant that is read-only or sensitive; mark its members instead.");
  }
}

function merge(common: Shape, variant: Shape, propertyName: string, path: readonly PathSegment[]): Shape {
  const properties = new Map(common.properties);
  for (const [name, node] of variant.properties) {
    if (name === propertyName) {
      continue; // says which variant it is, as OpenAPI documents do
    }
    if (properties.has(name)) {
      throw new SchemaError(path, `leads to a variant that declares '${name}', which is declared for all variants.`);
    }
    properties.set(name, node);
  }
  return {
    ...common,
    properties,
    required: new Set([...common.required, ...without(variant.required, propertyName)]),
    additional: variant.additional ?? common.additional,
    dropsUnknown: common.dropsUnknown && !variant.isOpen,
    isOpen: common.isOpen || variant.isOpen,
    minProperties: variant.minProperties ?? common.minProperties,
    maxProperties: variant.maxProperties ?? common.maxProperties,
  };
}

function without(names: ReadonlySet<string>, left: string): ReadonlySet<string> {
  return new Set([...names].filter((name) => name !== left));
}
