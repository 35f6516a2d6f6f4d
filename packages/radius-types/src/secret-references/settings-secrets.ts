import { asSecretReference, objectMember, secretReferencesIn } from "@rad/core";
import type { JsonObject, SecretReference } from "@rad/core";
import type { ValidateRequest } from "@rad/resources";
import { gitTokenSecrets } from "../git-tokens/git-tokens.ts";
import { sortedMembers, textMember } from "../rendering/members.ts";
import type { NeededSecret } from "./missing-secrets.ts";
import { requireReadOfNew } from "./require-read-of-new.ts";

/** Every secret that settings refer to, in either spelling. @param properties of Terraform or Bicep settings */
export function settingsSecrets(properties: JsonObject): readonly NeededSecret[] {
  return [
    ...sortedMembers(objectMember(objectMember(properties, "terraformrc"), "credentials")).flatMap(hostToken),
    ...gitTokenSecrets(properties),
    ...secretReferencesIn(objectMember(properties, "backend")["config"]),
    ...sortedMembers(objectMember(objectMember(properties, "authentication"), "registries")).flatMap(registryPassword),
    ...sortedMembers(objectMember(properties, "registryAuthentications")).flatMap(flatRegistry),
  ];
}

type Entry = readonly [host: string, entry: JsonObject];

function hostToken([, entry]: Entry): readonly SecretReference[] {
  const secret = textMember(entry, "secret");
  const reference = secret === undefined ? asSecretReference(entry["token"]) : { secretId: secret, key: "token" };
  return reference === undefined ? [] : [reference];
}

function registryPassword([, entry]: Entry): readonly SecretReference[] {
  const reference = asSecretReference(objectMember(entry, "basic")["password"]);
  return reference === undefined ? [] : [reference];
}

function flatRegistry([, entry]: Entry): readonly SecretReference[] {
  const secretId = textMember(entry, "basicAuthSecretId");
  return secretId === undefined ? [] : ["username", "password"].map((key) => ({ secretId, key }));
}

/** @throws ApiError `Forbidden` for a secret that the caller may not read and that the stored settings do not name. */
export function requireReadOfSettingsSecrets(
  request: Pick<ValidateRequest, "properties" | "current" | "requireRead">,
): void {
  const idsIn = (properties: JsonObject): string[] => settingsSecrets(properties).map(({ secretId }) => secretId);
  const { properties, current } = request;
  requireReadOfNew(request, idsIn(properties), idsIn(objectMember(current?.body ?? {}, "properties")));
}
