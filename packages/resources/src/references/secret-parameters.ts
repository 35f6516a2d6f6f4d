import { type JsonObject, objectMember, secretReferencesIn } from "@rad/core";
import type { StoredDocument } from "@rad/store";

/**
 * Parameters of a recipe may be references to secrets, which the server reads when the recipe runs. So whoever writes one
 * into a resource, of whatever type, must be allowed to read the secret; those that are there already stay.
 * @throws ApiError `Forbidden` from `requireRead`
 */
export function requireReadOfParameters(
  properties: JsonObject,
  current: StoredDocument | undefined,
  requireRead: (id: string) => void,
): void {
  const named = secretsOf(properties);
  if (named.length === 0) {
    return;
  }
  const known = new Set(secretsOf(objectMember(current?.body ?? {}, "properties")).map((id) => id.toLowerCase()));
  for (const id of named.filter((secret) => !known.has(secret.toLowerCase()))) {
    requireRead(id);
  }
}

function secretsOf(properties: JsonObject): readonly string[] {
  const { parameters } = objectMember(properties, "recipe");
  return parameters === undefined ? [] : secretReferencesIn(parameters).map(({ secretId }) => secretId);
}
