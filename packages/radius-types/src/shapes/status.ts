import type { JsonObject } from "@rad/core";
import { environmentCompute } from "./environment-compute.ts";
import { flag, list, object, openObject, readOnly, text } from "./schema-parts.ts";
import type { Properties } from "./schema-parts.ts";

/** What deploying the resource came to. Only the server writes it. */
export function resourceStatus(more: Properties = {}): JsonObject {
  return readOnly(
    openObject("What deploying the resource came to.", {
      ...more,
      recipe: object("The recipe that was run.", {
        templateKind: text("The language of the recipe's template."),
        templatePath: text("Where the template came from."),
        templateVersion: text("The version of the template."),
      }),
      outputResources: list(
        "The resources that deploying this one created or uses.",
        object("One of them.", {
          localId: text("The part that it plays for this resource."),
          id: text("Its resource id."),
          radiusManaged: flag("Whether it is deleted together with this resource."),
        }),
      ),
    }),
  );
}

export function applicationStatus(): JsonObject {
  return resourceStatus({
    compute: environmentCompute("Where the application runs: the environment's compute with its own settings applied."),
  });
}
