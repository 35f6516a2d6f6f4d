import type { JsonObject } from "@rad/core";
import { recipeParameters } from "../../shapes/recipe.ts";
import { flag, text, variants } from "../../shapes/schema-parts.ts";

/** Upstream's client reads `plainHttp` and `templateVersion` of every recipe, so they are there without being set. */
export function environmentRecipe(): JsonObject {
  return variants({
    description: "A recipe.",
    by: "templateKind",
    byDescription: "The language of the recipe's template.",
    common: {
      templatePath: text("Where the template is: an OCI reference, or the source of a Terraform module."),
      parameters: recipeParameters("Parameters for every run of the recipe."),
    },
    required: ["templatePath"],
    variants: {
      bicep: {
        description: "A Bicep template in an OCI registry.",
        properties: { plainHttp: flag("Whether the registry is reached without TLS.", { default: false }) },
      },
      terraform: {
        description: "A Terraform module.",
        properties: {
          templateVersion: text("The version of the module; needed for modules from a registry.", { default: "" }),
        },
      },
    },
  });
}
