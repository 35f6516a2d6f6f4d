import { defineType } from "../../built-in-type.ts";
import { recipeParameters } from "../../shapes/recipe.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { anything, choice, flag, list, map, object, readOnly, text } from "../../shapes/schema-parts.ts";
import { radiusCorePolicy } from "../policy.ts";
import { radiusCoreVersion } from "../version.ts";
import { recipePackHandler } from "./recipe-pack-handler.ts";

const definition = object(
  "A recipe.",
  {
    kind: choice("The language of the recipe's template.", ["terraform", "bicep"]),
    source: text("An OCI reference, or the source of a Terraform module."),
    parameters: recipeParameters("Parameters for every run of the recipe."),
    plainHttp: flag("Whether the registry is reached without TLS.", { default: false }),
    outputs: map(
      "Which output of the template fills which property; `secrets` holds the same for secret outputs.",
      anything("The name of an output."),
    ),
  },
  ["kind", "source"],
);

export const recipePacks = defineType({
  name: "Radius.Core/recipePacks",
  description: "Recipes by resource type, to be shared by environments.",
  policy: radiusCorePolicy,
  handler: recipePackHandler,
  versions: {
    [radiusCoreVersion]: () =>
      resourceSchema(
        "The properties of a recipe pack.",
        {
          recipes: map("The recipes by resource type, such as `Radius.Data/redisCaches`.", definition),
          referencedBy: readOnly(list("The environments that use the pack.", text("The resource id of one."))),
        },
        ["recipes"],
      ),
  },
});
