import { formatPath, isJsonObject, setMember } from "@rad/core";
import type { JsonObject, JsonValue, Pace, PathSegment, Sliced } from "@rad/core";
import { memberNode } from "./schema-node.ts";
import type { SchemaNode, Shape } from "./schema-node.ts";
import { shapeFor } from "./variants.ts";

export interface KnownMembers {
  readonly properties: JsonObject;
  /** Paths of what was left out, such as `properties.containr.image`; the outermost unknown member only. */
  readonly dropped: readonly string[];
}

/** A copy of `properties` without the members that the schema does not name, where it says to drop them. */
export function* withoutUnknown(root: Shape, properties: JsonObject, pace: Pace): Sliced<KnownMembers> {
  const visit: Visit = { path: ["properties"], dropped: [], pace };
  return { properties: yield* dropFromObject(root, properties, visit), dropped: visit.dropped };
}

interface Visit {
  /** Of the value that is looked at. */
  readonly path: PathSegment[];
  readonly dropped: string[];
  readonly pace: Pace;
}

function* dropFromObject(shape: Shape, value: JsonObject, visit: Visit): Sliced<JsonObject> {
  const chosen = shapeFor(shape, value);
  const kept: JsonObject = {};
  for (const name of Object.keys(value)) {
    const node = memberNode(chosen, name);
    visit.path.push(name);
    if (node === undefined && chosen.dropsUnknown) {
      visit.dropped.push(formatPath(visit.path).slice(2));
    } else {
      setMember(kept, name, yield* dropFrom(node, value[name] ?? null, visit));
    }
    visit.path.pop();
  }
  return kept;
}

function* dropFrom(node: SchemaNode | undefined, value: JsonValue, visit: Visit): Sliced<JsonValue> {
  const pause = visit.pace.spend();
  if (pause !== undefined) {
    yield pause;
  }
  if (node === undefined) {
    return value;
  }
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const [index, item] of value.entries()) {
      visit.path.push(index);
      items.push(yield* dropFrom(node.shape.items, item, visit));
      visit.path.pop();
    }
    return items;
  }
  return isJsonObject(value) ? yield* dropFromObject(node.shape, value, visit) : value;
}
