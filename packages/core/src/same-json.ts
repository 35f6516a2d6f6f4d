import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { Pace } from "./main-thread.ts";
import type { Sliced } from "./sliced.ts";

/** Whether two values are equal; the order of members does not count. */
export function* sameJson(left: JsonValue, right: JsonValue, pace: Pace = new Pace()): Sliced<boolean> {
  const pause = pace.spend();
  if (pause !== undefined) {
    yield pause;
  }
  if (left === right) {
    return true;
  }
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) {
      return false;
    }
    for (const [index, item] of left.entries()) {
      if (!(yield* sameJson(item, right[index] ?? null, pace))) {
        return false;
      }
    }
    return true;
  }
  return isJsonObject(left) && isJsonObject(right) ? yield* sameMembers(left, right, pace) : false;
}

function* sameMembers(left: JsonObject, right: JsonObject, pace: Pace): Sliced<boolean> {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) {
    return false;
  }
  for (const name of names) {
    const [one, other] = [left[name], right[name]];
    if (one === undefined || other === undefined || !Object.hasOwn(right, name)) {
      return false;
    }
    if (one !== other && !(yield* sameJson(one, other, pace))) {
      return false;
    }
  }
  return true;
}
