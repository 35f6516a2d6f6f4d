import { isJsonObject, setMember } from "@rad/core";
import type { JsonObject, JsonValue, Pace, Sliced } from "@rad/core";
import { memberNode } from "./schema-node.ts";
import type { SchemaNode, Shape } from "./schema-node.ts";
import { shapeFor } from "./variants.ts";

/**
 * A copy of `value` without the members that only the server may set.
 * @param isDeep whether any of them can be inside of members.
 */
export function* withoutReadOnly(shape: Shape, value: JsonObject, pace: Pace, isDeep: boolean): Sliced<JsonObject> {
  const chosen = shapeFor(shape, value);
  const kept: JsonObject = {};
  for (const name of Object.keys(value)) {
    const node = memberNode(chosen, name);
    const member = value[name] ?? null;
    if (node?.readOnly !== true) {
      setMember(kept, name, isDeep && typeof member === "object" ? yield* strip(node, member, pace) : member);
    }
    const pause = pace.spend();
    if (pause !== undefined) {
      yield pause;
    }
  }
  return kept;
}

function* strip(node: SchemaNode | undefined, value: JsonValue, pace: Pace): Sliced<JsonValue> {
  const pause = pace.spend();
  if (pause !== undefined) {
    yield pause;
  }
  if (node === undefined) {
    return value;
  }
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) {
      items.push(yield* strip(node.shape.items, item, pace));
    }
    return items;
  }
  return isJsonObject(value) ? yield* withoutReadOnly(node.shape, value, pace, true) : value;
}
