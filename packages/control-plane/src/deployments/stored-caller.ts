import type { JsonObject } from "@rad/core";
import type { Caller } from "../identity/index.ts";

/** Whoever asked for a deployment, as it is stored with it: their roles are looked up anew whenever they count. */
export function callerToJson({ kind, subject, groups }: Caller): JsonObject {
  return { kind, subject, groups: [...groups] };
}

/** What a role allows is worked out once per object, so the same JSON gives the same caller. */
const callers = new WeakMap<JsonObject, Caller>();

/** @param json what `callerToJson` made. */
export function callerFromJson(json: JsonObject): Caller {
  const known = callers.get(json);
  if (known !== undefined) {
    return known;
  }
  const { kind, subject, groups } = json as unknown as Caller;
  const caller: Caller = { kind, subject, groups };
  callers.set(json, caller);
  return caller;
}
