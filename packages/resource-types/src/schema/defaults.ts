import { ApiError, isJsonObject, setMember } from "@rad/core";
import type { JsonObject, JsonValue, Pace, Sliced } from "@rad/core";
import { memberNode } from "./schema-node.ts";
import type { Shape } from "./schema-node.ts";
import { shapeFor } from "./variants.ts";

/** All defaults that one body gets: a long one in each item of a long list would make a small body a vast one. */
const maxAddedCharacters = 1024 * 1024;

/**
 * A copy of `value` in which absent properties have their defaults, also inside the objects, arrays and maps that the
 * client supplied. Required properties are the client's to give and read-only ones the server's, so those get none.
 * @throws ApiError `RequestEntityTooLarge`
 */
export function* withDefaults(declared: Shape, value: JsonObject, pace: Pace): Sliced<JsonObject> {
  return yield* fillObject(declared, value, { pace, charactersLeft: maxAddedCharacters });
}

interface Visit {
  readonly pace: Pace;
  charactersLeft: number;
}

function* fillObject(declared: Shape, value: JsonObject, visit: Visit): Sliced<JsonObject> {
  const shape = shapeFor(declared, value);
  const filled: JsonObject = {};
  for (const name of Object.keys(value)) {
    const node = memberNode(shape, name);
    const member = value[name] ?? null;
    setMember(filled, name, node === undefined ? member : yield* fillIn(node.shape, member, visit));
  }
  for (const [name, node] of shape.properties) {
    const wanted = node.defaultValue !== undefined && !node.readOnly && !shape.required.has(name);
    if (wanted && !Object.hasOwn(value, name)) {
      setMember(filled, name, copied(node.defaultValue ?? null, visit));
    }
  }
  const pause = visit.pace.spend(1 + shape.properties.size);
  if (pause !== undefined) {
    yield pause;
  }
  return filled;
}

function* fillIn(shape: Shape, value: JsonValue, visit: Visit): Sliced<JsonValue> {
  const pause = visit.pace.spend();
  if (pause !== undefined) {
    yield pause;
  }
  if (Array.isArray(value)) {
    if (shape.items === undefined) {
      return value;
    }
    const items: JsonValue[] = [];
    for (const item of value) {
      items.push(yield* fillIn(shape.items.shape, item, visit));
    }
    return items;
  }
  return isJsonObject(value) ? yield* fillObject(shape, value, visit) : value;
}

function copied(value: JsonValue, visit: Visit): JsonValue {
  const text = JSON.stringify(value);
  visit.charactersLeft -= text.length;
  if (visit.charactersLeft < 0) {
    throw new ApiError(
      "RequestEntityTooLarge",
      "The defaults of the resource type would make the properties too large. Send fewer objects that have defaults.",
    );
  }
  return typeof value === "object" ? (JSON.parse(text) as JsonValue) : value;
}
