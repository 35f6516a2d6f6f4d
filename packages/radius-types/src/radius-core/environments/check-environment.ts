import { ApiError, objectMember, secretReferencesIn } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ResourceHandler, Validated, ValidateRequest } from "@rad/resources";
import { recipeConfigWarnings } from "../../environment-settings/recipe-config-warnings.ts";
import { checkRecipePacks } from "../../environment-settings/recipe-packs.ts";
import { checkSettingsReferences, settingsReferences } from "../../environment-settings/settings-references.ts";
import { recipePackIds } from "../../recipes/recipe-pack-ids.ts";
import { textMember } from "../../rendering/members.ts";
import { requireReadOfNew } from "../../secret-references/require-read-of-new.ts";

/** What an environment refers to, and what it must not say; with a cluster or without. */
export const environmentChecks: ResourceHandler = {
  references: ({ id, properties }) => [...settingsReferences(properties), ...recipePackIds(id, properties)],
  keepsSealed: () => true, // parameters are for all recipes of a type, like the references to secrets that stay, too
  validate,
  warnings: ({ properties }) => recipeConfigWarnings(properties, "Radius.Core"),
};

async function validate(request: ValidateRequest): Promise<Validated> {
  const { id, properties, current } = request;
  requireOneNamespace(properties);
  await checkRecipePacks(request);
  requireReadOfNew(
    request,
    parameterSecrets(properties),
    parameterSecrets(objectMember(current?.body ?? {}, "properties")),
  );
  const warnings = await checkSettingsReferences(request);
  const { recipePacks } = properties;
  return {
    properties: {
      ...properties,
      ...(recipePacks === undefined ? {} : { recipePacks: [...recipePackIds(id, properties)] }),
    },
    warnings,
  };
}

function parameterSecrets(properties: JsonObject): readonly string[] {
  return secretReferencesIn(properties["recipeParameters"]).map(({ secretId }) => secretId);
}

/** `compute` and `providers.kubernetes` are two ways to write one namespace. */
function requireOneNamespace(properties: JsonObject): void {
  const provider = textMember(objectMember(objectMember(properties, "providers"), "kubernetes"), "namespace");
  const compute = textMember(objectMember(properties, "compute"), "namespace");
  if (provider !== undefined && compute !== undefined && provider !== compute) {
    throw new ApiError(
      "BadRequest",
      `The environment has one namespace, but 'compute' says '${compute}' and 'providers.kubernetes' says '${provider}'. ` +
        "Leave one of them out, or give both the same value.",
      { target: "$.properties.compute.namespace" },
    );
  }
}
