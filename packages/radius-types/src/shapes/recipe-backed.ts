import type { JsonObject } from "@rad/core";
import { connections } from "./connections.ts";
import { recipe } from "./recipe.ts";
import { withProvisioningState } from "./resource-schema.ts";
import { object, readOnly, text } from "./schema-parts.ts";
import type { Properties } from "./schema-parts.ts";
import { scope } from "./scope.ts";
import { recipeBackedStatus } from "./status.ts";

/** The one api-version of the types that recipes implement. */
export const recipeBackedVersion = "2025-08-01-preview";

/**
 * A type that a recipe implements: what every such type has, and properties of its own. `environment` is required, unless
 * the type says otherwise. What nobody declared is kept, as with types that users define: upstream registers these types
 * by manifest too.
 */
export function recipeBackedSchema(
  description: string,
  properties: Properties,
  required: readonly string[] = [],
  { needsEnvironment = true }: { readonly needsEnvironment?: boolean } = {},
): JsonObject {
  return withProvisioningState(
    object(
      description,
      {
        ...scope,
        connections: connections(),
        codeReference: text("Where the code that declares this resource is."),
        ...properties,
        recipe: recipe({ recipeStatus: readOnly(text("How the latest run of the recipe ended.")) }),
        status: recipeBackedStatus(),
      },
      [...(needsEnvironment ? ["environment"] : []), ...required],
    ),
  );
}

/** What a recipe hands over as secrets: names only, the values go to a `Radius.Security/secrets` resource. */
export function recipeSecrets(properties: Readonly<Record<string, string>>): JsonObject {
  const names = Object.entries(properties).map(([name, description]) => [name, readOnly(text(description))]);
  return object("Secrets that the recipe produced.", {
    name: readOnly(text("The name of the resource that holds the secrets.")),
    ...Object.fromEntries(names),
  });
}
