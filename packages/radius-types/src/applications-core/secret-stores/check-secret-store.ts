import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ValidateRequest } from "@rad/resources";
import { sortedMembers, textMember } from "../../rendering/members.ts";
import { isLabel, isSubdomain } from "../../rendering/names.ts";
import { storeType } from "./secret-entries.ts";

const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  basicAuthentication: ["username", "password"],
  azureWorkloadIdentity: ["clientId", "tenantId"],
  awsIRSA: ["roleARN"],
};

/** What can be said about a store without looking at the target. @throws ApiError at the first problem. */
export function checkSecretStore({ properties, current }: Pick<ValidateRequest, "properties" | "current">): void {
  const type = storeType(properties);
  const data = objectMember(properties, "data");
  requireKeys(data, requiredKeys[type] ?? [], type);
  for (const [key, entry] of sortedMembers(data)) {
    checkEntry(key, entry, type);
  }
  const resource = textMember(properties, "resource");
  if (resource !== undefined && !isSecretReference(resource)) {
    throw refused(
      `'${resource}' of $.properties.resource must be '{namespace}/{name}' or '{name}' of a Secret.`,
      "$.properties.resource",
    );
  }
  if (current !== undefined) {
    refuseChange(properties, objectMember(current.body, "properties"));
  }
}

/** @throws ApiError naming the first key that is missing. */
export function requireKeys(data: JsonObject, keys: readonly string[], type: string): void {
  const missing = keys.find((key) => !Object.hasOwn(data, key));
  if (missing !== undefined) {
    throw refused(`$.properties.data must contain '${missing}' key for ${type} type.`, "$.properties.data");
  }
}

function checkEntry(key: string, entry: JsonObject, type: string): void {
  const target = `$.properties.data.${key}`;
  if (!/^[-._a-zA-Z0-9]{1,253}$/.test(key)) {
    throw refused(
      `The key '${key}' has characters that a Secret does not allow. Use letters, digits, '-', '_' and '.'.`,
      "$.properties.data",
    );
  }
  if (type === "certificate" && textMember(entry, "encoding") === "raw") {
    throw refused(`${target}.encoding must be 'base64' for certificate type.`, `${target}.encoding`);
  }
  if (textMember(objectMember(entry, "valueFrom"), "name") !== undefined) {
    throw refused(
      `${target}.valueFrom is not supported for Kubernetes. Name the Secret in $.properties.resource, and leave ` +
        `'${key}' empty to refer to its key of that name.`,
      `${target}.valueFrom`,
    );
  }
}

function refuseChange(properties: JsonObject, before: JsonObject): void {
  const [type, former] = [storeType(properties), storeType(before)];
  if (type !== former) {
    throw refused(`'${type}' of $.properties.type must be same as '${former}'.`, "$.properties.type");
  }
  const [resource, stored] = [textMember(properties, "resource"), textMember(before, "resource")];
  if (resource !== undefined && stored !== undefined && !isSameSecret(resource, stored)) {
    throw refused(`'${resource}' of $.properties.resource must be same as '${stored}'.`, "$.properties.resource");
  }
}

/** A name alone is in the namespace that was found for it. */
function isSameSecret(resource: string, stored: string): boolean {
  return resource === stored || (!resource.includes("/") && stored.endsWith(`/${resource}`));
}

function isSecretReference(resource: string): boolean {
  const parts = resource.split("/");
  const [namespace, name] = parts.length === 1 ? ["default", resource] : parts;
  return parts.length <= 2 && isLabel(namespace ?? "") && isSubdomain(name ?? "");
}

function refused(message: string, target: string): ApiError {
  return new ApiError("BadRequest", message, { target });
}
