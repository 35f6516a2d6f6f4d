import type { JsonValue } from "./json.ts";
import { isJsonObject } from "./json.ts";
import { ResourceId } from "./resource-id.ts";

/** One value of a secret resource, as settings and recipe parameters refer to it. */
export interface SecretReference {
  readonly secretId: string;
  readonly key: string;
}

const secretTypes = ["radius.security/secrets", "applications.core/secretstores"];

/** An object with exactly `secretId` and `key`, whose id is that of a secret. Everything else is data. */
export function asSecretReference(value: JsonValue | undefined): SecretReference | undefined {
  if (!isJsonObject(value) || Object.keys(value).length !== 2) {
    return undefined;
  }
  const { secretId, key } = value;
  const isReference = typeof secretId === "string" && typeof key === "string" && key !== "" && isSecretId(secretId);
  return isReference ? { secretId, key } : undefined;
}

/** Whether a text is the id of a secret: of `Radius.Security/secrets`, or of `Applications.Core/secretStores`. */
export function isSecretId(text: string): boolean {
  const id = ResourceId.tryParse(text);
  return id?.kind === "resource" && secretTypes.includes(id.type.toLowerCase());
}

/** Every reference in a value, at any depth, in the order of its members. */
export function secretReferencesIn(value: JsonValue | undefined): readonly SecretReference[] {
  const reference = asSecretReference(value);
  if (reference !== undefined) {
    return [reference];
  }
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((member) => secretReferencesIn(member))
    : [];
}
