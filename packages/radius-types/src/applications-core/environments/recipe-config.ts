import type { JsonObject } from "@rad/core";
import { gitAuthentication } from "../../git-tokens/git-token-schema.ts";
import { secretReference } from "../../shapes/references.ts";
import { list, map, object, openObject, text } from "../../shapes/schema-parts.ts";

/** How recipes of the environment reach private sources and configure Terraform providers. */
export function recipeConfig(): JsonObject {
  return object("How recipes reach private sources and configure providers.", {
    terraform: object("For Terraform recipes.", {
      authentication: gitAuthentication(object),
      providers: map(
        "Terraform provider configurations by provider name.",
        list(
          "Configurations of the provider; all but the first need an `alias`.",
          openObject("Arguments of the provider.", {
            secrets: map("Arguments that are secrets.", secretReference("Where the value is kept.")),
          }),
        ),
      ),
    }),
    bicep: object("For Bicep recipes.", {
      authentication: map(
        "Credentials by registry host.",
        object("Credentials.", { secret: text("The id of the secret store that holds them.") }),
      ),
    }),
    env: map("Environment variables for Terraform.", text("The value of a variable.")),
    envSecrets: map(
      "Environment variables for Terraform that are secrets.",
      secretReference("Where the value is kept."),
    ),
  });
}
