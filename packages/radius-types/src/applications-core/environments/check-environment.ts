import { objectMember, secretReferencesIn } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ResourceHandler, Validated, ValidateRequest } from "@rad/resources";
import { checkEnvironmentRecipes } from "../../environment-settings/check-recipes.ts";
import { recipeConfigWarnings } from "../../environment-settings/recipe-config-warnings.ts";
import { checkSettingsReferences, settingsReferences } from "../../environment-settings/settings-references.ts";
import { emptyGitTokens, gitTokenHosts, gitTokenProblems, gitTokenSecrets } from "../../git-tokens/git-tokens.ts";
import { environmentSources, sealPathCredentials } from "../../git-tokens/path-credentials.ts";
import { textMember } from "../../rendering/members.ts";
import { keepsInSameRecipe } from "../../recipes/keeps-in-same-recipe.ts";
import { missingSecrets } from "../../secret-references/missing-secrets.ts";
import { recipeConfigSecrets } from "../../secret-references/recipe-config-secrets.ts";
import { requireReadOfNew } from "../../secret-references/require-read-of-new.ts";

/** What an environment refers to, and what it must not say; with a cluster or without. */
export const environmentChecks: ResourceHandler = {
  problems: ({ properties }) => gitTokenProblems(terraformOf(properties), terraformPath),
  references: ({ properties }) => settingsReferences(properties),
  keepsSealed: keepsInSameRecipe({ depth: 3, source: "templatePath" }),
  validate,
  warnings: ({ properties }) => recipeConfigWarnings(properties, "Applications.Core"),
};

async function validate(request: ValidateRequest): Promise<Validated> {
  const { properties, current, resources } = request;
  const usesSettings = textMember(properties, "terraformSettings") !== undefined;
  const terraform = usesSettings ? {} : terraformOf(properties);
  checkEnvironmentRecipes(properties, gitTokenHosts(terraform));
  requireReadOfNew(request, secretsOf(properties), secretsOf(objectMember(current?.body ?? {}, "properties")));
  const missing = await checkSettingsReferences(request);
  const sealed = await sealPathCredentials(request, {
    sources: environmentSources,
    betterPlace: usesSettings
      ? "'authentication.git.pat' of the Terraform settings"
      : "'recipeConfig.terraform.authentication.git.pat' of the environment",
  });
  return {
    ...sealed,
    warnings: [
      ...missing,
      ...emptyGitTokens(terraform, terraformPath),
      ...(await missingSecrets(gitTokenSecrets(terraform), resources)),
      ...sealed.warnings,
    ],
  };
}

const terraformPath = ["recipeConfig", "terraform"];

function terraformOf(properties: JsonObject): JsonObject {
  return objectMember(objectMember(properties, "recipeConfig"), "terraform");
}

function secretsOf(properties: JsonObject): readonly string[] {
  const ofParameters = secretReferencesIn(properties["recipes"]).map(({ secretId }) => secretId);
  return [...recipeConfigSecrets(properties), ...ofParameters];
}
