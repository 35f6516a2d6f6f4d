import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { own, readBound, readCount, readFlag, readRequired, readText, readTypes } from "../schema/keywords.ts";
import { createReferenceFollower } from "../schema/references.ts";
import type { ReferenceFollower, SchemaAt } from "../schema/references.ts";
import type { JsonType } from "../schema/schema-node.ts";
import type { DefinitionList, DefinitionRef } from "./definition-list.ts";
import { readDiscriminator } from "./discriminator.ts";
import { PropertyFlag } from "./property-flags.ts";

/** A property of an object with its flags. */
export interface PropertyDefinition {
  readonly type: DefinitionRef;
  readonly flags: number;
  readonly description: string | undefined;
}

/** A schema with every `$ref` on the way to it. */
interface Followed extends SchemaAt {
  readonly chain: readonly SchemaAt[];
  /** Of the definition that a `$ref` names. */
  readonly name: string | undefined;
}

const sensitive = "x-radius-sensitive";

/**
 * Writes the types of one JSON schema into a list of definitions. What Bicep's types cannot say (`not`, `allOf`,
 * alternatives of objects without a discriminator) becomes `any`: the control plane checks it anyway.
 */
export class SchemaTypes {
  readonly #list: DefinitionList;
  readonly #follow: ReferenceFollower;
  /** Objects by their schema, plain and sensitive ones, so that a schema may refer to itself. */
  readonly #objects = { plain: new Map<JsonObject, DefinitionRef>(), sensitive: new Map<JsonObject, DefinitionRef>() };

  constructor(list: DefinitionList, root: JsonObject) {
    this.#list = list;
    this.#follow = createReferenceFollower(root);
  }

  /** The type of a schema; objects without a name of their own are called `name` in messages. */
  typeOf(schema: JsonValue | undefined, name: string): DefinitionRef {
    const at = this.#resolve(schema);
    const type = this.#plainType(at, at.name ?? name);
    return readFlag(at, "nullable") ? this.#union([type, this.#scalar("NullType")]) : type;
  }

  /** The properties of an object schema by name; none when it is one of several, told apart by a discriminator. */
  propertiesOf(schema: JsonObject): ReadonlyMap<string, PropertyDefinition> | undefined {
    const at = this.#resolve(schema);
    return readDiscriminator(at) === undefined ? new Map(this.#properties(at)) : undefined;
  }

  /** Whether a value of this schema has members that only its author can give. */
  requiresMembers(schema: JsonObject): boolean {
    const at = this.#resolve(schema);
    const isRequired = ([, { flags }]: readonly [string, PropertyDefinition]) => (flags & PropertyFlag.Required) !== 0;
    return readDiscriminator(at) !== undefined || this.#properties(at).some(isRequired);
  }

  #resolve(schema: JsonValue | undefined): Followed {
    const chain = this.#follow({ schema: isJsonObject(schema) ? schema : {}, path: [] });
    const last = chain.at(-1) ?? chain[0];
    const name = chain.length > 1 ? last.path.at(-1) : undefined;
    return { ...last, chain, name: typeof name === "string" ? name : undefined };
  }

  #plainType(at: Followed, name: string): DefinitionRef {
    const values = own(at.schema, "enum");
    if (Array.isArray(values)) {
      return this.#enumeration(values);
    }
    if (own(at.schema, "allOf") !== undefined) {
      return this.#scalar("AnyType");
    }
    const discriminator = readDiscriminator(at);
    if (discriminator !== undefined) {
      return this.#object(at, () => this.#discriminated(at, discriminator, name));
    }
    const alternatives = own(at.schema, "oneOf") ?? own(at.schema, "anyOf");
    if (Array.isArray(alternatives)) {
      return this.#alternatives(alternatives, name);
    }
    const types = [...(readTypes(at) ?? impliedTypes(at.schema))];
    return types.length === 0
      ? this.#scalar("AnyType")
      : this.#union(types.map((type) => this.#typeNamed(type, at, name)));
  }

  #typeNamed(type: JsonType, at: Followed, name: string): DefinitionRef {
    switch (type) {
      case "string":
        return this.#list.add({
          $type: "StringType",
          ...defined({
            sensitive: isMarked(at, sensitive) ? true : undefined,
            minLength: readCount(at, "minLength"),
            maxLength: readCount(at, "maxLength"),
            pattern: readText(at, "pattern"),
          }),
        });
      case "integer":
      case "number":
        // Bicep has no other numbers; `json('0.5')` is `any`, which fits.
        return this.#list.add({ $type: "IntegerType", ...defined(integerBounds(at)) });
      case "boolean":
        return this.#scalar("BooleanType");
      case "null":
        return this.#scalar("NullType");
      case "array": {
        const lengths = { minLength: readCount(at, "minItems"), maxLength: readCount(at, "maxItems") };
        const itemType = this.typeOf(own(at.schema, "items"), `${name}Item`);
        return this.#list.add({ $type: "ArrayType", itemType, ...defined(lengths) });
      }
      case "object":
        return this.#object(at, () => this.#objectDefinition(at, name));
      default:
        return type satisfies never;
    }
  }

  #object(at: Followed, build: () => JsonObject): DefinitionRef {
    const isSensitive = isMarked(at, sensitive);
    const known = isSensitive ? this.#objects.sensitive : this.#objects.plain;
    let ref = known.get(at.schema);
    if (ref === undefined) {
      const place = this.#list.reserve();
      ref = place.ref;
      known.set(at.schema, ref);
      place.define({ ...build(), ...(isSensitive ? { sensitive: true } : {}) });
    }
    return ref;
  }

  #objectDefinition(at: Followed, name: string, more: readonly (readonly [string, JsonObject])[] = []): JsonObject {
    const properties = [...this.#properties(at).map(toJson), ...more];
    const others = this.#additional(at, name);
    return {
      $type: "ObjectType",
      name,
      properties: Object.fromEntries(properties),
      ...(others === undefined ? {} : { additionalProperties: others }),
    };
  }

  #discriminated(
    at: Followed,
    { propertyName, members }: NonNullable<ReturnType<typeof readDiscriminator>>,
    name: string,
  ): JsonObject {
    const base = this.#properties(at).filter(([property]) => property !== propertyName);
    const elements = Object.entries(members).map(([value, schema]): [string, JsonObject] => {
      const member = this.#resolve(schema);
      const type = this.#list.add({ $type: "StringLiteralType", value });
      const place = this.#list.reserve();
      const mark: [string, JsonObject] = [propertyName, { type, flags: PropertyFlag.Required }];
      // A kind without properties of its own is closed like the others.
      const closed = { ...member, schema: { properties: {}, ...member.schema } };
      place.define(this.#objectDefinition(closed, member.name ?? `${name}${capitalized(value)}`, [mark]));
      return [value, place.ref];
    });
    return {
      $type: "DiscriminatedObjectType",
      name,
      discriminator: propertyName,
      baseProperties: Object.fromEntries(base.map(toJson)),
      elements: Object.fromEntries(elements),
    };
  }

  #properties(at: SchemaAt): [string, PropertyDefinition][] {
    const properties = own(at.schema, "properties");
    const required = new Set(readRequired(at));
    return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) => {
      const property = this.#resolve(schema);
      const description = property.chain
        .map((link) => readText(link, "description"))
        .find((text) => text !== undefined && text !== "");
      return [name, { type: this.typeOf(schema, name), flags: flagsOf(property, required.has(name)), description }];
    });
  }

  #additional(at: SchemaAt, name: string): DefinitionRef | undefined {
    const value = own(at.schema, "additionalProperties");
    if (value === undefined) {
      return own(at.schema, "properties") === undefined ? this.#scalar("AnyType") : undefined;
    }
    if (typeof value === "boolean") {
      return value ? this.#scalar("AnyType") : undefined;
    }
    return this.typeOf(value, `${name}AdditionalProperties`);
  }

  #enumeration(values: readonly JsonValue[]): DefinitionRef {
    return this.#union(values.map((value) => this.#literal(value)));
  }

  /** Bicep packages have literals of strings only; other values count as their type. */
  #literal(value: JsonValue): DefinitionRef {
    switch (typeof value) {
      case "string":
        return this.#list.add({ $type: "StringLiteralType", value });
      case "boolean":
        return this.#scalar("BooleanType");
      case "number":
        return this.#scalar("IntegerType");
      default:
        return this.#scalar(value === null ? "NullType" : "AnyType");
    }
  }

  #alternatives(schemas: readonly JsonValue[], name: string): DefinitionRef {
    const isObject = (schema: JsonValue) => {
      const { schema: target } = this.#resolve(schema);
      return target["type"] === "object" || own(target, "properties") !== undefined;
    };
    // Which object is meant depends on the value: nothing that Bicep could check before it knows.
    return schemas.some(isObject)
      ? this.#scalar("AnyType")
      : this.#union(schemas.map((schema) => this.typeOf(schema, name)));
  }

  #union(members: readonly DefinitionRef[]): DefinitionRef {
    const [first = this.#scalar("AnyType"), ...others] = distinct(members);
    return others.length === 0 ? first : this.#list.add({ $type: "UnionType", elements: [first, ...others] });
  }

  #scalar(kind: "AnyType" | "BooleanType" | "IntegerType" | "NullType"): DefinitionRef {
    return this.#list.add({ $type: kind });
  }
}

/** A property as a package spells it. */
export function toJson([name, { type, flags, description }]: readonly [string, PropertyDefinition]): [
  string,
  JsonObject,
] {
  return [name, { type, flags, ...(description === undefined ? {} : { description }) }];
}

/** A read-only property is never required: only the control plane fills it. */
function flagsOf({ chain }: Followed, isRequired: boolean): number {
  if (chain.some((link) => readFlag(link, "readOnly"))) {
    return PropertyFlag.ReadOnly;
  }
  const isWriteOnly = chain.some((link) => readFlag(link, "writeOnly"));
  return (isRequired ? PropertyFlag.Required : 0) | (isWriteOnly ? PropertyFlag.WriteOnly : 0);
}

/** Schemas may leave out what their other keywords say. */
function impliedTypes(schema: JsonObject): readonly JsonType[] {
  if (own(schema, "type") !== undefined) {
    return []; // `any`
  }
  if (own(schema, "properties") !== undefined || own(schema, "additionalProperties") !== undefined) {
    return ["object"];
  }
  return own(schema, "items") === undefined ? [] : ["array"];
}

function integerBounds(at: SchemaAt): { readonly minValue: number | undefined; readonly maxValue: number | undefined } {
  const minimum = readBound(at, "minimum", "exclusiveMinimum", Math.max);
  const maximum = readBound(at, "maximum", "exclusiveMaximum", Math.min);
  return {
    minValue: minimum && (minimum.exclusive ? Math.floor(minimum.value) + 1 : Math.ceil(minimum.value)),
    maxValue: maximum && (maximum.exclusive ? Math.ceil(maximum.value) - 1 : Math.floor(maximum.value)),
  };
}

function isMarked({ chain }: Followed, keyword: string): boolean {
  return chain.some((link) => readFlag(link, keyword));
}

function defined(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, JsonValue] => member[1] !== undefined),
  );
}

function distinct(refs: readonly DefinitionRef[]): DefinitionRef[] {
  return [...new Map(refs.map((ref) => [ref["$ref"], ref])).values()];
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
