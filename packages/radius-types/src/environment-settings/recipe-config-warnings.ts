import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";

/** Members of `recipeConfig` by the settings that replace them: `env` and `envSecrets` reach Terraform only. */
const replaced = {
  terraformSettings: ["terraform.authentication.git.pat", "terraform.providers", "env", "envSecrets"],
  bicepSettings: ["bicep.authentication"],
} as const;

export type EnvironmentFamily = "Applications.Core" | "Radius.Core";

/**
 * What readers and writers of an environment are told about its `recipeConfig`, for as long as it has one: a warning for
 * each member that is ignored, with its path, and one if the rest is still in use.
 */
export function recipeConfigWarnings(properties: JsonObject, family: EnvironmentFamily): readonly string[] {
  const ignored = ignoredRecipeConfig(properties, family);
  const warnings = ignored.map(
    ({ path, settings }) => `properties.${path} is ignored. Use '${settings}' of the environment.`,
  );
  if (family === "Radius.Core") {
    const isEmpty = warnings.length === 0 && properties["recipeConfig"] !== undefined;
    return isEmpty
      ? ["properties.recipeConfig is ignored. Use 'terraformSettings' and 'bicepSettings' of the environment."]
      : warnings;
  }
  const used = membersOf(properties).filter(({ path }) => ignored.every((other) => other.path !== path));
  return used.length === 0
    ? warnings
    : [
        ...warnings,
        `properties.recipeConfig is deprecated; the environment uses ${used.map(({ path }) => path).join(", ")}. ` +
          "Run 'rad terraform migrate' to move it to settings.",
      ];
}

export interface IgnoredMember {
  /** Such as `recipeConfig.terraform.providers`. */
  readonly path: string;
  /** The member of the environment that replaces it. */
  readonly settings: keyof typeof replaced;
}

/**
 * The members of `recipeConfig` that have no effect: environments of `Radius.Core` take settings alone, others ignore what
 * the settings that they name replace.
 */
export function ignoredRecipeConfig(properties: JsonObject, family: EnvironmentFamily): readonly IgnoredMember[] {
  return membersOf(properties).filter(({ settings }) => family === "Radius.Core" || isNamed(properties[settings]));
}

function membersOf({ recipeConfig }: JsonObject): readonly IgnoredMember[] {
  return Object.entries(replaced).flatMap(([settings, paths]) =>
    paths
      .filter((path) => has(recipeConfig, path.split(".")))
      .map((path) => ({ path: `recipeConfig.${path}`, settings: settings as keyof typeof replaced })),
  );
}

function isNamed(reference: JsonValue | undefined): boolean {
  return typeof reference === "string" && reference !== "";
}

function has(value: JsonValue | undefined, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) {
    return value !== undefined;
  }
  return isJsonObject(value) && Object.hasOwn(value, name) && has(value[name], rest);
}
