import { defineType } from "../../built-in-type.ts";
import { environmentCompute } from "../../shapes/environment-compute.ts";
import { identitySettings } from "../../shapes/identity.ts";
import { recipeParameters } from "../../shapes/recipe.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { flag, list, map, object, openObject, text } from "../../shapes/schema-parts.ts";
import { radiusCorePolicy } from "../policy.ts";
import { radiusCoreVersion } from "../version.ts";
import { environmentChecks } from "./check-environment.ts";

const providers = object("The platforms that recipes deploy to.", {
  azure: object(
    "Azure.",
    {
      subscriptionId: text("The id of the subscription."),
      resourceGroupName: text("The name of the resource group."),
      identity: identitySettings("The identity that workloads use in Azure."),
    },
    ["subscriptionId"],
  ),
  aws: object("AWS.", { accountId: text("The id of the account."), region: text("The region.") }, [
    "accountId",
    "region",
  ]),
  kubernetes: object(
    "Kubernetes.",
    { namespace: text("The namespace that resources are created in; the cluster's default when empty.") },
    ["namespace"],
  ),
});

export const radiusEnvironments = defineType({
  name: "Radius.Core/environments",
  description: "Where applications are deployed to: recipe packs, settings and cloud scopes.",
  policy: radiusCorePolicy,
  handler: environmentChecks,
  versions: {
    [radiusCoreVersion]: () =>
      resourceSchema("The properties of an environment.", {
        recipePacks: list(
          "The recipe packs that the environment offers.",
          text("The resource id of a recipe pack, or its name in the environment's own resource group."),
        ),
        recipeParameters: map(
          "Parameters by resource type, on top of those that recipe packs set.",
          recipeParameters("Parameters for recipes of the type."),
        ),
        providers,
        compute: environmentCompute("Another way to write `providers.kubernetes.namespace`."),
        terraformSettings: text("The resource id of the settings for Terraform recipes."),
        bicepSettings: text("The resource id of the settings for Bicep recipes."),
        recipeConfig: openObject("Kept from environments of `Applications.Core`, and never used here.", {}),
        simulated: flag("Whether resources are only recorded and nothing is deployed.", { default: false }),
      }),
  },
});
