import { type JsonObject, setMember } from "./json.ts";
import { Pace } from "./main-thread.ts";
import { pauseAfter } from "./pause-after.ts";
import type { Sliced } from "./sliced.ts";

/** Copies an object without the named members. In slices: `{ ...from }` of 100,000 members takes a tenth of a second. */
export function* copyMembers(from: JsonObject, without: readonly string[] = []): Sliced<JsonObject> {
  const copy: JsonObject = {};
  const pace = new Pace();
  for (const name of yield* pauseAfter(() => Object.keys(from))) {
    const value = from[name];
    if (value !== undefined && !without.includes(name)) {
      setMember(copy, name, value);
    }
    const pause = pace.spend();
    if (pause !== undefined) {
      yield pause;
    }
  }
  return copy;
}
