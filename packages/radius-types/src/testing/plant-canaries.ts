import { isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { memberOf } from "./walk-body.ts";

/** A copy of `properties` in which every text in a sensitive member is a canary of its own. */
export function plantCanaries(schema: JsonObject, properties: JsonObject, nextCanary: () => string): JsonObject {
  const plant = (at: JsonObject, value: JsonValue, isSensitive: boolean): JsonValue => {
    const hidden = isSensitive || at["x-radius-sensitive"] === true;
    if (typeof value === "string") {
      return hidden ? nextCanary() : value;
    }
    if (Array.isArray(value)) {
      return value.map((item) => plant(objectMember(at, "items"), item, hidden));
    }
    if (!isJsonObject(value)) {
      return value;
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, plant(memberOf(at, value, name), member, hidden)]),
    );
  };
  const planted = plant(schema, properties, false);
  return isJsonObject(planted) ? planted : {};
}
