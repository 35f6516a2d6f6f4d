import { type JsonObject, objectMember } from "@rad/core";
import { type ScopeResource, setupError } from "@rad/radius-types";

/** What an environment says about where and how recipes run. */
export interface EnvironmentConfiguration {
  readonly family: "Applications.Core" | "Radius.Core";
  readonly runtime: Runtime;
  /** Such as `/subscriptions/…/resourceGroups/…`. */
  readonly azureScope?: string;
  /** Such as `/planes/aws/aws/accounts/…/regions/…`. */
  readonly awsScope?: string;
  readonly isSimulated: boolean;
  readonly terraform: TerraformInput;
}

export type Runtime =
  | { readonly kind: "kubernetes"; readonly namespace: string; readonly environmentNamespace: string }
  | { readonly kind: "aci" };

/** Where Terraform's configuration comes from. Settings are taken alone: nothing is merged with `recipeConfig`. */
export type TerraformInput =
  | { readonly kind: "settings"; readonly id: string; readonly properties: JsonObject }
  | { readonly kind: "recipeConfig"; readonly properties: JsonObject }
  /** A `Radius.Core` environment without settings. */
  | { readonly kind: "none" };

/** The id of the settings that an environment refers to. */
export function settingsIdOf({ properties }: ScopeResource): string | undefined {
  return text(properties["terraformSettings"]);
}

/**
 * @param settings the properties of the settings that the environment refers to
 * @throws RecipeError `RecipeConfigurationFailure`
 */
export function environmentConfiguration(
  environment: ScopeResource,
  application: ScopeResource | undefined,
  settings: JsonObject | undefined,
): EnvironmentConfiguration {
  const { id, properties } = environment;
  const family = id.namespace.toLowerCase() === "radius.core" ? "Radius.Core" : "Applications.Core";
  const azureScope = azureScopeOf(properties);
  const awsScope = awsScopeOf(properties);
  return {
    family,
    runtime: runtimeOf(family, properties, application),
    ...(azureScope === undefined ? {} : { azureScope }),
    ...(awsScope === undefined ? {} : { awsScope }),
    isSimulated: properties["simulated"] === true,
    terraform: terraformInput(family, environment, settings),
  };
}

function terraformInput(
  family: EnvironmentConfiguration["family"],
  environment: ScopeResource,
  settings: JsonObject | undefined,
): TerraformInput {
  const settingsId = settingsIdOf(environment);
  if (settingsId !== undefined) {
    if (settings === undefined) {
      throw setupError(
        "RecipeConfigurationFailure",
        `The environment "${environment.id.toString()}" refers to the Terraform settings "${settingsId}", which do not exist. ` +
          "Create them, or change 'terraformSettings' of the environment, and deploy again.",
      );
    }
    return { kind: "settings", id: settingsId, properties: settings };
  }
  return family === "Radius.Core"
    ? { kind: "none" }
    : { kind: "recipeConfig", properties: objectMember(environment.properties, "recipeConfig") };
}

function runtimeOf(
  family: EnvironmentConfiguration["family"],
  properties: JsonObject,
  application: ScopeResource | undefined,
): Runtime {
  const compute = objectMember(properties, "compute");
  if (compute["kind"] === "aci") {
    return { kind: "aci" };
  }
  const provider = objectMember(objectMember(properties, "providers"), "kubernetes");
  const environmentNamespace = text(provider["namespace"]) ?? text(compute["namespace"]) ?? "";
  const status = objectMember(objectMember(application?.properties ?? {}, "status"), "compute");
  // Applications of Radius.Core have no namespace of their own.
  const namespace = family === "Radius.Core" ? undefined : text(status["namespace"]);
  return { kind: "kubernetes", namespace: namespace ?? environmentNamespace, environmentNamespace };
}

function azureScopeOf(properties: JsonObject): string | undefined {
  const { scope, subscriptionId, resourceGroupName } = objectMember(objectMember(properties, "providers"), "azure");
  const subscription = text(subscriptionId);
  if (subscription === undefined) {
    return text(scope);
  }
  const group = text(resourceGroupName);
  return `/subscriptions/${subscription}${group === undefined ? "" : `/resourceGroups/${group}`}`;
}

function awsScopeOf(properties: JsonObject): string | undefined {
  const { scope, accountId, region } = objectMember(objectMember(properties, "providers"), "aws");
  const [account, place] = [text(accountId), text(region)];
  return account === undefined || place === undefined
    ? text(scope)
    : `/planes/aws/aws/accounts/${account}/regions/${place}`;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
