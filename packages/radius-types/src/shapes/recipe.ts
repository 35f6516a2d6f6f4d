import type { JsonObject } from "@rad/core";
import { anything, choice, map, object, text } from "./schema-parts.ts";
import type { Properties } from "./schema-parts.ts";

export function recipeParameters(description: string): JsonObject {
  return map(description, anything("The value of a parameter."));
}

/** Which recipe of the environment makes the resource. */
export function recipe(more: Properties = {}): JsonObject {
  return object(
    "The recipe that deploys the resource; the one called `default` when absent.",
    {
      name: text("The name of the recipe in the environment."),
      parameters: recipeParameters("Parameters for the recipe, on top of those that the environment sets."),
      ...more,
    },
    ["name"],
  );
}

/** The two members of types that a recipe or the author himself can provide. */
export function provisioning(): Properties {
  return {
    recipe: recipe(),
    resourceProvisioning: choice(
      "Who provides the resource: a recipe, or the author with values.",
      ["recipe", "manual"],
      {
        default: "recipe",
      },
    ),
  };
}
