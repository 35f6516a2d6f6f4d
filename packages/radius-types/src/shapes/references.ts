import type { JsonObject } from "@rad/core";
import { list, object, strictObject, text } from "./schema-parts.ts";

/** Resources that exist already and stand behind this one. */
export function resourceReferences(): JsonObject {
  return list(
    "Existing resources that stand behind this one.",
    object("A reference to a resource.", { id: text("The resource id.") }, ["id"]),
  );
}

/** One value of a secret store, as `Applications.*` types refer to it. */
export function secretReference(description: string): JsonObject {
  return object(
    description,
    {
      source: text("The resource id of the secret store."),
      key: text("The key in the secret store."),
    },
    ["source", "key"],
  );
}

/** One value of a `Radius.Security/secrets` resource, as settings refer to it. */
export function secretIdReference(description: string): JsonObject {
  return strictObject(
    description,
    {
      secretId: text("The resource id of the secret.", { minLength: 1 }),
      key: text("The key in the secret.", { minLength: 1 }),
    },
    ["secretId", "key"],
  );
}
