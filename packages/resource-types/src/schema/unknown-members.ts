import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { formatPath } from "@rad/core";
import type { PathSegment } from "@rad/core";
import { memberNode } from "./schema-node.ts";
import type { SchemaNode, Shape } from "./schema-node.ts";
import { shapeFor } from "./variants.ts";

export interface KnownMembers {
  readonly properties: JsonObject;
  /** Paths of what was left out, such as `properties.containr.image`; the outermost unknown member only. */
  readonly dropped: readonly string[];
}

/** A copy of `properties` without the members that the schema does not name, where it says to drop them. */
export function withoutUnknown(root: Shape, properties: JsonObject): KnownMembers {
  const dropped: string[] = [];
  return { properties: dropFromObject(root, properties, { path: ["properties"], dropped }), dropped };
}

interface Visit {
  readonly path: readonly PathSegment[];
  readonly dropped: string[];
}

function dropFromObject(shape: Shape, value: JsonObject, visit: Visit): JsonObject {
  const chosen = shapeFor(shape, value);
  const kept: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) {
    const node = memberNode(chosen, name);
    const path = [...visit.path, name];
    if (node === undefined && chosen.dropsUnknown) {
      visit.dropped.push(formatPath(path).slice(2));
    } else {
      kept.push([name, dropFrom(node, member, { ...visit, path })]);
    }
  }
  return Object.fromEntries(kept);
}

function dropFrom(node: SchemaNode | undefined, value: JsonValue, visit: Visit): JsonValue {
  if (node === undefined) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => dropFrom(node.shape.items, item, { ...visit, path: [...visit.path, index] }));
  }
  return isJsonObject(value) ? dropFromObject(node.shape, value, visit) : value;
}
