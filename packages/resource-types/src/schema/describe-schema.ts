import { isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { createReferenceFollower } from "./references.ts";
import type { ReferenceFollower } from "./references.ts";
import { SchemaError } from "./schema-error.ts";

export interface PropertyRow {
  readonly name: string;
  readonly type: string;
  /** The type of the items of an array, or of the values of a map. */
  readonly holds?: string;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly sensitive: boolean;
  readonly default?: JsonValue;
  /** The values that are allowed, where they are listed. */
  readonly values?: readonly JsonValue[];
  /** The variants that have the property; absent for properties that every variant has. */
  readonly variants?: PropertyVariants;
  readonly description: string;
}

export interface PropertyVariants {
  /** The property whose value chooses the variant. */
  readonly by: string;
  readonly values: readonly string[];
}

export interface PropertyTable {
  /** Dotted names from the root to the object whose properties these are; empty for the root itself. */
  readonly path: string;
  readonly rows: readonly PropertyRow[];
}

/** A schema whose references multiply could otherwise be described without end. */
const maxTables = 500;

interface Visit {
  readonly path: string;
  readonly schema: JsonObject;
  readonly ancestors: readonly JsonObject[];
}

/** A property of an object, or of some of its variants. */
interface Member {
  readonly name: string;
  readonly schema: JsonValue;
  required: boolean;
  variants?: { by: string; values: string[] };
}

/**
 * A schema as people read it: one table for the top level, then one for each object below it, breadth first. An
 * object with a discriminator shows the properties of all its variants. Maps and arrays of objects appear under their
 * own name with the properties of what they hold. An object that contains itself is shown once. Made for display, so
 * that a broken schema yields what can be read of it.
 */
export function describeSchema(schema: JsonObject): PropertyTable[] {
  const tables: PropertyTable[] = [];
  const follow = createReferenceFollower(schema);
  const queue: Visit[] = [{ path: "", schema: resolve(follow, schema), ancestors: [] }];
  for (const visit of queue) {
    const rows: PropertyRow[] = [];
    for (const member of membersOf(follow, visit.schema)) {
      const target = resolve(follow, member.schema);
      rows.push(describeMember(follow, member, target));
      const object = findObject(follow, target);
      const ancestors = [...visit.ancestors, visit.schema];
      if (object !== undefined && !ancestors.includes(object) && queue.length < maxTables) {
        const path = visit.path === "" ? member.name : `${visit.path}.${member.name}`;
        queue.push({ path, schema: object, ancestors });
      }
    }
    tables.push({ path: visit.path, rows });
  }
  return tables;
}

/** The properties of an object, those of its variants after the common ones. */
function membersOf(follow: ReferenceFollower, schema: JsonObject): Member[] {
  const members = new Map<string, Member>();
  for (const [name, property] of Object.entries(objectMember(schema, "properties"))) {
    members.set(name, { name, schema: property, required: isRequired(schema, name) });
  }
  const discriminator = objectMember(schema, "discriminator");
  const by = text(discriminator["propertyName"]) ?? "";
  for (const [value, reference] of Object.entries(objectMember(discriminator, "mapping"))) {
    const variant = resolve(follow, { $ref: reference });
    for (const [name, property] of Object.entries(objectMember(variant, "properties"))) {
      const known = members.get(name);
      if (known === undefined) {
        const required = isRequired(schema, name) || isRequired(variant, name);
        members.set(name, { name, schema: property, required, variants: { by, values: [value] } });
      } else if (known.variants !== undefined) {
        known.required &&= isRequired(schema, name) || isRequired(variant, name);
        known.variants.values.push(value);
      }
    }
  }
  return [...members.values()];
}

function isRequired(schema: JsonObject, name: string): boolean {
  const { required } = schema;
  return Array.isArray(required) && required.includes(name);
}

function describeMember(follow: ReferenceFollower, member: Member, target: JsonObject): PropertyRow {
  const outer = isJsonObject(member.schema) ? member.schema : {};
  const says = (keyword: string): boolean => outer[keyword] === true || target[keyword] === true;
  const held = heldBy(follow, target);
  return {
    name: member.name,
    type: describeType(target),
    ...(held === undefined ? {} : { holds: describeType(held) }),
    required: member.required,
    readOnly: says("readOnly"),
    sensitive: says("x-radius-sensitive"),
    ...(target["default"] === undefined ? {} : { default: target["default"] }),
    ...(Array.isArray(target["enum"]) ? { values: target["enum"] } : {}),
    ...(member.variants === undefined ? {} : { variants: member.variants }),
    description: text(outer["description"]) ?? text(target["description"]) ?? "",
  };
}

function describeType(schema: JsonObject): string {
  const type = schema["type"];
  if (Array.isArray(type)) {
    return type.filter((name) => typeof name === "string").join(" | ");
  }
  return text(type) ?? (isJsonObject(schema["properties"]) ? "object" : "any");
}

/** The object with properties that this schema is, or holds in an array or a map. */
function findObject(follow: ReferenceFollower, schema: JsonObject): JsonObject | undefined {
  const seen = new Set<JsonObject>();
  for (let at: JsonObject | undefined = schema; at !== undefined && !seen.has(at); at = heldBy(follow, at)) {
    seen.add(at);
    if (membersOf(follow, at).length > 0) {
      return at;
    }
  }
  return undefined;
}

/** What an array or a map holds. */
function heldBy(follow: ReferenceFollower, schema: JsonObject): JsonObject | undefined {
  const held = isJsonObject(schema["additionalProperties"]) ? schema["additionalProperties"] : schema["items"];
  return isJsonObject(held) ? resolve(follow, held) : undefined;
}

function resolve(follow: ReferenceFollower, schema: JsonValue): JsonObject {
  if (!isJsonObject(schema)) {
    return {};
  }
  try {
    return follow({ schema, path: [] }).at(-1)?.schema ?? schema;
  } catch (error) {
    if (error instanceof SchemaError) {
      return {};
    }
    throw error;
  }
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
