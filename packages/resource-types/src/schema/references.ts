import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import type { PathSegment } from "@rad/core";
import { SchemaError } from "./schema-error.ts";

const maxChain = 8;

/** A schema object with its place in the document. */
export interface SchemaAt {
  readonly schema: JsonObject;
  readonly path: readonly PathSegment[];
}

/**
 * Follows `$ref` until it reaches a schema without one, and returns every schema on the way, the last one being what
 * applies. As in OpenAPI 3.0 the siblings of a `$ref` do not constrain the value.
 *
 * @throws SchemaError for a reference that leads outside, nowhere, or in a circle.
 */
export type ReferenceFollower = (start: SchemaAt) => readonly [SchemaAt, ...SchemaAt[]];

export function createReferenceFollower(root: JsonObject): ReferenceFollower {
  const targets = new Map<JsonValue | undefined, SchemaAt>();

  return (start) => {
    const chain: [SchemaAt, ...SchemaAt[]] = [start];
    for (let at = start; Object.hasOwn(at.schema, "$ref");) {
      const reference = at.schema["$ref"];
      const from = at.path;
      at = targets.get(reference) ?? resolve(root, reference, [...from, "$ref"]);
      targets.set(reference, at);
      const target = at.schema;
      if (chain.some((seen) => seen.schema === target)) {
        throw new SchemaError([...from, "$ref"], "refers to itself without ever describing a value.");
      }
      if (chain.length === maxChain) {
        throw new SchemaError([...from, "$ref"], `is part of a chain of more than ${maxChain} references.`);
      }
      chain.push(at);
    }
    return chain;
  };
}

function resolve(root: JsonObject, reference: JsonValue | undefined, refPath: readonly PathSegment[]): SchemaAt {
  const path = parseReference(reference, refPath);
  let value: JsonValue | undefined = root;
  for (const part of path) {
    value = isContainer(value) && Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined;
  }
  if (!isJsonObject(value)) {
    throw new SchemaError(refPath, "leads to nothing that could be a schema.");
  }
  return { schema: value, path };
}

function isContainer(value: JsonValue | undefined): value is JsonObject | JsonValue[] {
  return typeof value === "object" && value !== null;
}

function parseReference(reference: JsonValue | undefined, at: readonly PathSegment[]): string[] {
  if (typeof reference !== "string") {
    throw new SchemaError(at, "must be a string.");
  }
  if (reference !== "#" && !reference.startsWith("#/")) {
    throw new SchemaError(at, `${quote(reference)} points outside of the schema; only '#/…' is allowed.`);
  }
  return reference
    .split("/")
    .slice(1)
    .map((part) => decodePart(part, at));
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}

function decodePart(part: string, at: readonly PathSegment[]): string {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch (error) {
    if (error instanceof URIError) {
      throw new SchemaError(at, `${quote(part)} is not a valid part of a reference.`);
    }
    throw error;
  }
}
