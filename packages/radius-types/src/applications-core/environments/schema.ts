import { applicationPolicy } from "@rad/resources/policy";
import { defineType } from "../../built-in-type.ts";
import { environmentCompute } from "../../shapes/environment-compute.ts";
import { extensions } from "../../shapes/extensions.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { flag, map, object, text } from "../../shapes/schema-parts.ts";
import { applicationsVersion } from "../version.ts";
import { environmentChecks } from "./check-environment.ts";
import { recipeConfig } from "./recipe-config.ts";
import { environmentRecipe } from "./environment-recipe.ts";

export const environments = defineType({
  name: "Applications.Core/environments",
  description: "Where applications are deployed to, with the recipes they may use.",
  policy: applicationPolicy,
  handler: environmentChecks,
  versions: {
    [applicationsVersion]: () =>
      resourceSchema(
        "The properties of an environment.",
        {
          compute: environmentCompute("Where the containers of the environment run."),
          providers: object("The cloud scopes that recipes create resources in.", {
            azure: object(
              "Azure.",
              { scope: text("The id of an Azure resource group: `/subscriptions/{id}/resourceGroups/{name}`.") },
              ["scope"],
            ),
            aws: object(
              "AWS.",
              { scope: text("An AWS account and region: `/planes/aws/aws/accounts/{id}/regions/{region}`.") },
              ["scope"],
            ),
          }),
          simulated: flag("Whether resources are only recorded and nothing is deployed."),
          recipes: map(
            "Recipes by resource type, such as `Applications.Datastores/redisCaches`.",
            map("Recipes of the type by name.", environmentRecipe()),
          ),
          recipeConfig: recipeConfig(),
          terraformSettings: text("The resource id of the Terraform settings; they replace `recipeConfig.terraform`."),
          bicepSettings: text("The resource id of the Bicep settings; they replace `recipeConfig.bicep`."),
          extensions: extensions(),
        },
        ["compute"],
      ),
  },
});
