import type { JsonObject } from "@rad/core";

/**
 * Who is calling. Authenticators hand out the same object for the same credentials as long as they can, so that what is
 * worked out about a caller can be kept by object.
 */
export interface Caller {
  readonly kind: "token" | "oidc" | "frontProxy" | "anonymous";
  /** Prefixed with its source ; what audit records and `systemData` show. */
  readonly subject: string;
  readonly groups: readonly string[];
}

/** A caller on a route that asks for no credentials. It has no permissions anywhere. */
export const anonymousCaller: Caller = Object.freeze({ kind: "anonymous", subject: "anonymous", groups: [] });

/** The holder of the local token; the one subject without a prefix. */
export const localAdmin = "local-admin";

/** As it is stored with work that goes on without the request: roles are looked up anew whenever they count. */
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
