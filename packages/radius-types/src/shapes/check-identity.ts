import { ApiError } from "@rad/core";
import type { JsonObject } from "@rad/core";

/** The rules between the members of identity settings. @throws ApiError at the first that is broken. */
export function checkIdentity(identity: JsonObject, target: string): void {
  const { kind, oidcIssuer, resource, managedIdentity } = identity;
  const hasManaged = Array.isArray(managedIdentity) && managedIdentity.length > 0;
  const refuse = (message: string): never => {
    throw new ApiError("BadRequest", message, { target });
  };
  switch (kind) {
    case "azure.com.workload":
      if (typeof oidcIssuer !== "string" || oidcIssuer === "") {
        refuse("An identity of the kind 'azure.com.workload' needs 'oidcIssuer'.");
      }
      if (typeof resource === "string" && resource !== "") {
        refuse("An identity of the kind 'azure.com.workload' must not have 'resource'.");
      }
      return;
    case "userAssigned":
    case "systemAssignedUserAssigned":
      if (!hasManaged) {
        refuse(`An identity of the kind '${kind}' needs 'managedIdentity'.`);
      }
      return;
    case "systemAssigned":
      if (hasManaged) {
        refuse("An identity of the kind 'systemAssigned' must not have 'managedIdentity'.");
      }
      return;
    default:
  }
}
