import type { JsonObject } from "@rad/core";
import { environmentCompute } from "./environment-compute.ts";
import { anything, flag, list, map, object, readOnly, text } from "./schema-parts.ts";

/** What deploying the resource came to. Only the server writes it. */
export function resourceStatus(): JsonObject {
  return readOnly(
    object("What deploying the resource came to.", {
      compute: environmentCompute("Where the resource runs: the environment's compute with its own settings applied."),
      recipe: recipeRun(),
      outputResources: outputResources(),
      computedValues: map("Values for those who connect to the resource; secret ones are null.", anything("A value.")),
    }),
  );
}

/** The same for a type that a recipe implements. */
export function recipeBackedStatus(): JsonObject {
  return readOnly(
    object("What deploying the resource came to.", {
      recipe: recipeRun(),
      outputResources: outputResources(),
      computedValues: map("Values that the recipe gave out.", anything("A value.")),
    }),
  );
}

function recipeRun(): JsonObject {
  return readOnly(
    object(
      "The recipe that was run.",
      {
        templateKind: text("The language of the recipe's template."),
        templatePath: text("Where the template came from."),
        templateVersion: text("The version of the template."),
      },
      ["templateKind", "templatePath"],
    ),
  );
}

function outputResources(): JsonObject {
  return list(
    "The resources that deploying this one created or uses.",
    object("One of them.", {
      localId: text("The part that it plays for this resource."),
      id: text("Its resource id."),
      radiusManaged: flag("Whether it is deleted together with this resource."),
    }),
  );
}
