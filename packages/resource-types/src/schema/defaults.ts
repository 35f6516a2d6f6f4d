import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { memberNode } from "./schema-node.ts";
import type { Shape } from "./schema-node.ts";
import { shapeFor } from "./variants.ts";

/**
 * A copy of `value` in which absent properties have their defaults, also inside the objects, arrays and maps that the
 * client supplied. Required properties are the client's to give and read-only ones the server's, so those get none.
 */
export function withDefaults(declared: Shape, value: JsonObject): JsonObject {
  const shape = shapeFor(declared, value);
  const members: [string, JsonValue][] = Object.entries(value).map(([name, member]) => {
    const node = memberNode(shape, name);
    return [name, node === undefined ? member : fillIn(node.shape, member)];
  });
  for (const [name, node] of shape.properties) {
    const wanted = node.defaultValue !== undefined && !node.readOnly && !shape.required.has(name);
    if (wanted && !Object.hasOwn(value, name)) {
      members.push([name, structuredClone(node.defaultValue ?? null)]);
    }
  }
  return Object.fromEntries(members);
}

function fillIn(shape: Shape, value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const items = shape.items;
    return items === undefined ? value : value.map((item) => fillIn(items.shape, item));
  }
  return isJsonObject(value) ? withDefaults(shape, value) : value;
}
