import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import type { PathSegment } from "@rad/core";
import { refuseDeepAlternatives, refuseMarksBelow } from "./alternatives.ts";
import type { Branch } from "./alternatives.ts";
import { findFormat } from "./formats.ts";
import {
  own,
  readAllowed,
  readBound,
  readCount,
  readFlag,
  readList,
  readNumber,
  readRequired,
  readText,
  readTypes,
} from "./keywords.ts";
import { compilePattern } from "./pattern.ts";
import type { Pattern } from "./pattern.ts";
import { createReferenceFollower } from "./references.ts";
import type { SchemaAt } from "./references.ts";
import { SchemaError } from "./schema-error.ts";
import { emptyShape, noBranches, noNames, noProperties } from "./schema-node.ts";
import type { Mutable, SchemaNode, Shape } from "./schema-node.ts";
import { readDiscriminator, resolveVariants } from "./variants.ts";
import type { DiscriminatorAt } from "./variants.ts";

const maxNodes = 5000;
/** All programs of one schema together; see `compilePattern` for what an instruction costs. */
const maxTotalPatternSize = 5000;
/** Every variant repeats the members that all have in common. */
const maxVariantMembers = 20_000;

export interface BuiltSchema {
  readonly root: SchemaNode;
  /** Every use of a schema that carries a default, for checking that the default is a valid value. */
  readonly defaults: readonly { readonly node: SchemaNode; readonly path: readonly PathSegment[] }[];
}

/**
 * Turns an OpenAPI 3.0 schema into nodes. Keywords it does not know are ignored, as every JSON Schema reader does; a
 * keyword it knows with a value that makes no sense is an error.
 *
 * Shapes wait in a queue instead of being built recursively: a long row of references is then no deep call stack.
 *
 * @throws SchemaError
 */
export function buildSchema(root: JsonObject): BuiltSchema {
  const shapes = new Map<JsonObject, Mutable<Shape>>();
  const queue: { readonly at: SchemaAt; readonly shape: Mutable<Shape> }[] = [];
  const defaults: { node: SchemaNode; path: readonly PathSegment[] }[] = [];
  const branches: Branch[] = [];
  const discriminators = new Map<Mutable<Shape>, DiscriminatorAt>();
  const follow = createReferenceFollower(root);
  const dropsUnknown = readUnknown({ schema: root, path: [] });
  let nodeCount = 0;
  let patternSize = 0;

  const rootNode = nodeAt(root, []);
  for (const { at, shape } of queue) {
    fill(shape, at);
  }
  let variantMembers = 0;
  for (const [shape, discriminator] of discriminators) {
    refuseNested(discriminator);
    variantMembers += discriminator.mapping.length * (shape.properties.size + 1);
    if (variantMembers > maxVariantMembers) {
      throw new SchemaError([], `The variants of the schema have more than ${maxVariantMembers} members all together.`);
    }
    shape.variants = resolveVariants(shape, discriminator);
  }
  refuseMarksBelow(branches);
  refuseDeepAlternatives(branches);
  return { root: rootNode, defaults };

  function refuseNested({ mapping }: DiscriminatorAt): void {
    for (const { node, path } of mapping) {
      if (discriminators.has(node.shape)) {
        throw new SchemaError(path, "leads to a variant that has a discriminator itself.");
      }
    }
  }

  function nodeAt(schema: JsonValue | undefined, path: readonly PathSegment[]): SchemaNode {
    if (!isJsonObject(schema)) {
      throw new SchemaError(path, "must be an object.");
    }
    nodeCount += 1;
    if (nodeCount > maxNodes) {
      throw new SchemaError([], `The schema has more than ${maxNodes} parts.`);
    }
    const chain = follow({ schema, path });
    const defaultValue = chain.map((link) => own(link.schema, "default")).find((value) => value !== undefined);
    const node: SchemaNode = {
      shape: shapeOf(chain.at(-1) ?? chain[0]),
      readOnly: chain.some((link) => readFlag(link, "readOnly")),
      sensitive: chain.some((link) => readFlag(link, "x-radius-sensitive")),
      // `default: null` is how some authors write that there is none.
      defaultValue: defaultValue ?? undefined,
    };
    if (node.defaultValue !== undefined) {
      defaults.push({ node, path: [...path, "default"] });
    }
    return node;
  }

  function shapeOf(at: SchemaAt): Shape {
    const known = shapes.get(at.schema);
    if (known !== undefined) {
      return known;
    }
    const shape = emptyShape();
    shapes.set(at.schema, shape);
    queue.push({ at, shape });
    return shape;
  }

  function fill(shape: Mutable<Shape>, at: SchemaAt): void {
    shape.types = readTypes(at);
    shape.nullable = readFlag(at, "nullable");
    shape.allowed = readAllowed(at);

    shape.minLength = readCount(at, "minLength");
    shape.maxLength = readCount(at, "maxLength");
    shape.pattern = readPattern(at);
    shape.format = findFormat(readText(at, "format") ?? "");

    shape.minimum = readBound(at, "minimum", "exclusiveMinimum", Math.max);
    shape.maximum = readBound(at, "maximum", "exclusiveMaximum", Math.min);
    shape.multipleOf = readNumber(at, "multipleOf");
    if (shape.multipleOf !== undefined && shape.multipleOf <= 0) {
      throw new SchemaError([...at.path, "multipleOf"], "must be greater than 0.");
    }

    shape.items = readNode(at, "items");
    shape.minItems = readCount(at, "minItems");
    shape.maxItems = readCount(at, "maxItems");
    shape.uniqueItems = readFlag(at, "uniqueItems");

    shape.properties = readProperties(at);
    shape.additional = readAdditional(at);
    shape.isOpen = own(at.schema, "additionalProperties") !== undefined;
    shape.dropsUnknown = dropsUnknown && own(at.schema, "properties") !== undefined && !shape.isOpen;
    shape.minProperties = readCount(at, "minProperties");
    shape.maxProperties = readCount(at, "maxProperties");
    shape.required = demanded(readRequired(at), shape.properties);

    shape.allOf = readBranches(at, "allOf");
    shape.anyOf = readBranches(at, "anyOf");
    const discriminator = readDiscriminator(at, nodeAt);
    if (discriminator === undefined) {
      shape.oneOf = readBranches(at, "oneOf");
    } else {
      discriminators.set(shape, discriminator);
    }
    shape.not = own(at.schema, "not") === undefined ? undefined : branchAt(at, ["not"], own(at.schema, "not"));
  }

  function readNode(at: SchemaAt, keyword: string): SchemaNode | undefined {
    const value = own(at.schema, keyword);
    return value === undefined ? undefined : nodeAt(value, [...at.path, keyword]);
  }

  function readBranches(at: SchemaAt, keyword: string): readonly SchemaNode[] {
    return readList(at, keyword)?.map((branch, index) => branchAt(at, [keyword, index], branch)) ?? noBranches;
  }

  function branchAt(at: SchemaAt, below: readonly PathSegment[], schema: JsonValue | undefined): SchemaNode {
    const path = [...at.path, ...below];
    const node = nodeAt(schema, path);
    branches.push({ node, path });
    return node;
  }

  function readProperties(at: SchemaAt): ReadonlyMap<string, SchemaNode> {
    const value = own(at.schema, "properties");
    if (value === undefined) {
      return noProperties;
    }
    if (!isJsonObject(value)) {
      throw new SchemaError([...at.path, "properties"], "must be an object.");
    }
    return new Map(
      Object.entries(value).map(([name, schema]) => [name, nodeAt(schema, [...at.path, "properties", name])]),
    );
  }

  function readAdditional(at: SchemaAt): SchemaNode | false | undefined {
    const value = own(at.schema, "additionalProperties");
    if (typeof value === "boolean") {
      return value ? undefined : false;
    }
    return readNode(at, "additionalProperties");
  }

  function readPattern(at: SchemaAt): Pattern | undefined {
    const source = readText(at, "pattern");
    if (source === undefined) {
      return undefined;
    }
    const path = [...at.path, "pattern"];
    const pattern = orSchemaError(path, () => compilePattern(source));
    patternSize += pattern.size;
    if (patternSize > maxTotalPatternSize) {
      throw new SchemaError(path, "makes the patterns of this schema too large all together.");
    }
    return pattern;
  }
}

/** `x-radius-unknown` at the root: what becomes of members that no object of the schema names. */
function readUnknown(at: SchemaAt): boolean {
  const value = readText(at, "x-radius-unknown") ?? "keep";
  if (value !== "keep" && value !== "drop") {
    throw new SchemaError([...at.path, "x-radius-unknown"], "must be keep or drop.");
  }
  return value === "drop";
}

/** Only the server fills a read-only property, so nobody is asked for it. */
function demanded(required: readonly string[], properties: ReadonlyMap<string, SchemaNode>): ReadonlySet<string> {
  const names = required.filter((name) => properties.get(name)?.readOnly !== true);
  return names.length === 0 ? noNames : new Set(names);
}

function orSchemaError<T>(path: readonly PathSegment[], action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new SchemaError(path, `${error instanceof Error ? error.message : String(error)}.`);
  }
}
