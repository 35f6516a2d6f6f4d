import { copyMembers, type JsonObject, objectMember, type Sliced } from "@rad/core";

export interface SplitStatus {
  readonly properties: JsonObject;
  readonly status: JsonObject;
}

/** Properties that a client can never set, also where a type has no schema to say so. */
export const serverOwned: readonly string[] = ["provisioningState", "status"];

/** A resource as its handler sees it: what was asked for, and what earlier work saved. */
export function* splitStatus(body: JsonObject): Sliced<SplitStatus> {
  const stored = objectMember(body, "properties");
  return { properties: yield* copyMembers(stored, serverOwned), status: objectMember(stored, "status") };
}
