import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { memberNode } from "./schema-node.ts";
import type { SchemaNode, Shape } from "./schema-node.ts";
import { shapeFor } from "./variants.ts";

/** A copy of `value` without the members that only the server may set. */
export function withoutReadOnly(shape: Shape, value: JsonObject): JsonObject {
  const chosen = shapeFor(shape, value);
  const kept: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) {
    const node = memberNode(chosen, name);
    if (node?.readOnly !== true) {
      kept.push([name, strip(node, member)]);
    }
  }
  return Object.fromEntries(kept);
}

function strip(node: SchemaNode | undefined, value: JsonValue): JsonValue {
  if (node === undefined) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => strip(node.shape.items, item));
  }
  return isJsonObject(value) ? withoutReadOnly(node.shape, value) : value;
}
