import type { JsonObject } from "@rad/core";
import { choice, list, object, text } from "./schema-parts.ts";

/** Which cloud identity workloads use. Rules between its members depend on `kind` and are checked with the resource. */
export function identitySettings(description: string): JsonObject {
  return object(
    description,
    {
      kind: choice("The kind of identity.", [
        "undefined",
        "azure.com.workload",
        "userAssigned",
        "systemAssigned",
        "systemAssignedUserAssigned",
      ]),
      oidcIssuer: text("The URL of the OIDC issuer that workload identity trusts."),
      resource: text("The resource id of the identity."),
      managedIdentity: list("The managed identities to assign.", text("The resource id of a managed identity.")),
    },
    ["kind"],
  );
}
