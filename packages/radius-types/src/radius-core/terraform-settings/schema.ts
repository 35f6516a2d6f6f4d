import type { JsonObject } from "@rad/core";
import { defineType } from "../../built-in-type.ts";
import { gitAuthentication } from "../../git-tokens/git-token-schema.ts";
import { secretIdReference } from "../../shapes/references.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { anything, choice, list, map, readOnly, strictObject, text } from "../../shapes/schema-parts.ts";
import { radiusCorePolicy } from "../policy.ts";
import { radiusCoreVersion } from "../version.ts";
import { logLevels } from "./log-levels.ts";
import { terraformSettingsHandler } from "./terraform-settings-handler.ts";

// Objects here refuse unknown members: a misspelt mirror that is dropped would send Terraform to the internet.

const providerPatterns = (description: string): JsonObject =>
  list(description, text("A provider such as `hashicorp/azurerm`, with `*` as a wildcard."));

const selection = {
  include: providerPatterns("The providers to install this way; all when absent."),
  exclude: providerPatterns("The providers not to install this way."),
};

// One spelling per host: `token` names the key, `secret` always means the key `token`.
const credentials = strictObject("A token, as `token` or as `secret`.", {
  token: secretIdReference("Where the token is kept."),
  secret: text("The resource id of a secret with the key `token`.", { minLength: 1 }),
});

const terraformrc = strictObject("What goes into Terraform's CLI configuration.", {
  providerInstallation: strictObject("Where providers come from.", {
    networkMirror: strictObject(
      "A provider mirror.",
      {
        url: text("The https URL of the mirror.", { pattern: "^[Hh][Tt][Tt][Pp][Ss]://", format: "uri" }),
        ...selection,
      },
      ["url"],
    ),
    direct: strictObject("The registries that providers name themselves.", selection),
  }),
  credentials: map("Credentials by host name.", credentials),
});

const backend = strictObject(
  "Where Terraform keeps its state.",
  {
    type: choice("The type of the backend.", [
      "kubernetes",
      "azurerm",
      "s3",
      "oss",
      "gcs",
      "http",
      "oci",
      "pg",
      "cos",
      "consul",
    ]),
    config: map("Arguments of the backend in camel case.", anything("A value, or `{ secretId, key }` for a secret.")),
  },
  ["type"],
);

export const terraformSettings = defineType({
  name: "Radius.Core/terraformSettings",
  description: "How Terraform is configured for the recipes of an environment.",
  policy: radiusCorePolicy,
  handler: terraformSettingsHandler,
  versions: {
    [radiusCoreVersion]: () =>
      resourceSchema("The properties of Terraform settings.", {
        terraformrc,
        authentication: gitAuthentication(strictObject),
        backend,
        env: map("Environment variables for Terraform; not for secrets.", text("The value of a variable.")),
        logging: strictObject("What Terraform logs.", {
          level: text(`One of ${logLevels.join(", ")}, in any case.`, {
            pattern: `^(${logLevels.map(anyCase).join("|")})$`,
          }),
        }),
        referencedBy: readOnly(list("The environments that use the settings.", text("The resource id of one."))),
      }),
  },
});

function anyCase(word: string): string {
  return word.replaceAll(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`);
}
