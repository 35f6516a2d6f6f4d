import { isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { createReferenceFollower } from "./references.ts";
import type { ReferenceFollower } from "./references.ts";
import { SchemaError } from "./schema-error.ts";

export interface PropertyRow {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly description: string;
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

/**
 * A schema as people read it: one table for the top level, then one for each object below it, breadth first. An
 * object with a discriminator shows the members of all its variants. Maps and arrays of objects appear under their own name with the properties of what they hold. An object that contains itself
 * is shown once. Made for display, so that a broken schema yields what can be read of it.
 */
export function describeSchema(schema: JsonObject): PropertyTable[] {
  const tables: PropertyTable[] = [];
  const follow = createReferenceFollower(schema);
  const queue: Visit[] = [{ path: "", schema: resolve(follow, schema), ancestors: [] }];
  for (const visit of queue) {
    const required = visit.schema["required"];
    const rows: PropertyRow[] = [];
    for (const [name, property] of membersOf(follow, visit.schema)) {
      const target = resolve(follow, property);
      rows.push(describeProperty(name, property, target, Array.isArray(required) && required.includes(name)));
      const object = findObject(follow, target);
      const ancestors = [...visit.ancestors, visit.schema];
      if (object !== undefined && !ancestors.includes(object) && queue.length < maxTables) {
        queue.push({ path: visit.path === "" ? name : `${visit.path}.${name}`, schema: object, ancestors });
      }
    }
    tables.push({ path: visit.path, rows });
  }
  return tables;
}

/** The members of an object, those of its variants after the common ones. */
function membersOf(follow: ReferenceFollower, schema: JsonObject): Map<string, JsonValue> {
  const members = new Map(Object.entries(objectMember(schema, "properties")));
  for (const reference of Object.values(objectMember(objectMember(schema, "discriminator"), "mapping"))) {
    for (const [name, property] of Object.entries(objectMember(resolve(follow, { $ref: reference }), "properties"))) {
      members.set(name, members.get(name) ?? property);
    }
  }
  return members;
}

function describeProperty(name: string, property: JsonValue, target: JsonObject, required: boolean): PropertyRow {
  const outer = isJsonObject(property) ? property : {};
  return {
    name,
    type: describeType(target),
    required,
    readOnly: outer["readOnly"] === true || target["readOnly"] === true,
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
  for (let at = schema; !seen.has(at);) {
    seen.add(at);
    if (membersOf(follow, at).size > 0) {
      return at;
    }
    const below = isJsonObject(at["additionalProperties"]) ? at["additionalProperties"] : at["items"];
    if (!isJsonObject(below)) {
      return undefined;
    }
    at = resolve(follow, below);
  }
  return undefined;
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
