import { type JsonObject, objectMember, type SecretReference, secretReferencesIn } from "@rad/core";
import { allRecipes, recipePackIds, type ScopeResource, setupError, type TypeRecipe } from "@rad/radius-types";
import type { ResourceReader } from "@rad/resources";
import {
  type GitToken,
  gitTokensOf,
  readAuthorities,
  type RecipeConfig,
  recipeConfigSecrets,
  settingsSecrets,
  type TerraformSettings,
} from "@rad/terraform";
import { environmentConfiguration, settingsIdOf } from "../configuration/environment-configuration.ts";

/** What an environment says about its recipes, with everything that it refers to. */
export interface EnvironmentView {
  readonly settings: TerraformSettings | undefined;
  readonly recipeConfig: RecipeConfig | undefined;
  /** Of Bicep settings. */
  readonly bicep: JsonObject;
  /** Certificates that Terraform trusts by `SSL_CERT_FILE`. */
  readonly authorities: string | undefined;
  /** Secrets with the tokens of Git hosts. */
  readonly tokens: readonly GitToken[];
  readonly recipes: readonly TypeRecipe[];
  /** What the line of the check says. */
  readonly summary: string;
}

interface ViewOptions {
  readonly resources: ResourceReader;
  readonly requireSettings: boolean;
  /** Of the server, as variables; those of the environment come before them. */
  readonly network: Readonly<Record<string, string>>;
}

/** @throws RecipeError, ApiError or Error that says what is wrong */
export async function viewEnvironment(
  environment: ScopeResource,
  { resources, requireSettings, network }: ViewOptions,
): Promise<EnvironmentView> {
  const { properties } = environment;
  const read = async (id: string | undefined): Promise<JsonObject | undefined> =>
    id === undefined ? undefined : propertiesOf(await resources.get(id));
  const settingsId = settingsIdOf(environment);
  const { terraform, family } = environmentConfiguration(environment, undefined, await read(settingsId));
  if (terraform.kind === "none" && requireSettings) {
    throw setupError(
      "RecipeConfigurationFailure",
      "terraformSettings must be set on the environment to run Terraform recipes. Create a Radius.Core/terraformSettings " +
        "resource, and set 'terraformSettings' of the environment to its id.",
    );
  }
  const bicepId = textOf(properties["bicepSettings"]);
  const bicep = await read(bicepId);
  if (bicepId !== undefined && bicep === undefined) {
    throw setupError("RecipeConfigurationFailure", `The Bicep settings "${bicepId}" do not exist.`);
  }
  const settings = terraform.kind === "settings" ? (terraform.properties as TerraformSettings) : undefined;
  const recipeConfig = terraform.kind === "recipeConfig" ? (terraform.properties as RecipeConfig) : undefined;
  const { SSL_CERT_FILE: file } = { ...network, ...(settings ?? recipeConfig)?.env };
  const used = [settingsId, bicepId].filter((id) => id !== undefined);
  return {
    settings,
    recipeConfig,
    bicep: bicep ?? {},
    authorities: file === undefined ? undefined : await readAuthorities(file),
    tokens: gitTokensOf(settings, recipeConfig),
    recipes: await recipesOf(environment, resources),
    summary: used.length > 0 ? used.join(", ") : family === "Radius.Core" ? "None; none are needed." : "recipeConfig",
  };
}

/** Every reference to a secret that recipes of the environment make, each once; tokens of Git hosts apart. */
export function secretsOf({ settings, recipeConfig, bicep, recipes }: EnvironmentView): readonly SecretReference[] {
  const registries = Object.values(registriesOf(bicep)).flatMap(({ references }) => references);
  const references = [
    ...terraformSecrets({ settings, recipeConfig }),
    ...registries,
    ...recipes.flatMap(({ definition }) => secretReferencesIn(definition.parameters)),
  ];
  return [...new Map(references.map((reference) => [referenceKey(reference), reference])).values()];
}

/** Those that every Terraform run of the environment needs. */
export function terraformSecrets({
  settings,
  recipeConfig,
}: Pick<EnvironmentView, "settings" | "recipeConfig">): readonly SecretReference[] {
  return [
    ...(settings === undefined ? [] : settingsSecrets(settings)),
    ...(recipeConfig === undefined ? [] : recipeConfigSecrets(recipeConfig)),
  ];
}

export function referenceKey({ secretId, key }: SecretReference): string {
  return `${secretId.toLowerCase()} ${key}`;
}

interface Login {
  readonly username: string;
  readonly password: string;
}

/** How a registry of Bicep settings is logged in to, by host; without references where no secret is needed. */
export interface BicepLogin {
  readonly references: readonly SecretReference[];
  readonly login: (value: (reference: SecretReference) => string) => Login;
}

export function registriesOf(bicep: JsonObject): Readonly<Record<string, BicepLogin>> {
  const nested = objectMember(objectMember(bicep, "authentication"), "registries");
  const flat = objectMember(bicep, "registryAuthentications");
  return Object.fromEntries([
    ...Object.keys(nested).map((host) => [host, nestedLogin(objectMember(nested, host))] as const),
    ...Object.keys(flat).map((host) => [host, flatLogin(objectMember(flat, host))] as const),
  ]);
}

function nestedLogin(entry: JsonObject): BicepLogin {
  const { username, password } = objectMember(entry, "basic");
  const [reference] = secretReferencesIn(password ?? null);
  return reference === undefined
    ? noLogin
    : {
        references: [reference],
        login: (value) => ({ username: textOf(username) ?? "", password: value(reference) }),
      };
}

function flatLogin(entry: JsonObject): BicepLogin {
  const secretId = textOf(entry["basicAuthSecretId"]);
  if (secretId === undefined) {
    return noLogin;
  }
  const [username, password] = ["username", "password"].map((key) => ({ secretId, key })) as [
    SecretReference,
    SecretReference,
  ];
  return {
    references: [username, password],
    login: (value) => ({ username: value(username), password: value(password) }),
  };
}

const noLogin: BicepLogin = { references: [], login: () => ({ username: "", password: "" }) };

/** All recipes by type and name, those of packs included. @throws Error for a pack that is gone */
async function recipesOf(environment: ScopeResource, resources: ResourceReader): Promise<readonly TypeRecipe[]> {
  for (const packId of recipePackIds(environment.id, environment.properties)) {
    if ((await resources.get(packId)) === undefined) {
      throw new Error(`The recipe pack '${packId}' does not exist. Create it, or remove it from the environment.`);
    }
  }
  return await allRecipes(environment, resources);
}

function propertiesOf(document: { readonly body: JsonObject } | undefined): JsonObject | undefined {
  return document && objectMember(document.body, "properties");
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
