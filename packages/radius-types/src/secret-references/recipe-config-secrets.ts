import { isSecretId, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { gitTokenSecrets } from "../git-tokens/git-tokens.ts";
import { listMember, sortedMembers, textMember } from "../rendering/members.ts";

/** The ids of the secrets that `recipeConfig` names, as environments of `Applications.Core` have it. */
export function recipeConfigSecrets(properties: JsonObject): readonly string[] {
  const config = objectMember(properties, "recipeConfig");
  const terraform = objectMember(config, "terraform");
  const providers = objectMember(terraform, "providers");
  const arguments_ = Object.keys(providers).flatMap((name) =>
    listMember(providers, name).flatMap((block) => sortedMembers(objectMember(block, "secrets"))),
  );
  const ids = [
    ...gitTokenSecrets(terraform).map(({ secretId }) => secretId),
    ...sortedMembers(objectMember(objectMember(config, "bicep"), "authentication")).map(([, entry]) =>
      textMember(entry, "secret"),
    ),
    ...[...arguments_, ...sortedMembers(objectMember(config, "envSecrets"))].map(([, entry]) =>
      textMember(entry, "source"),
    ),
  ];
  return ids.filter((id): id is string => id !== undefined && isSecretId(id));
}
