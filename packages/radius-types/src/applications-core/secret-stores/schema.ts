import { applicationPolicy } from "@rad/resources/policy";
import { defineType, givingOutSecrets } from "../../built-in-type.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { choice, map, object, optionalSecret, text } from "../../shapes/schema-parts.ts";
import { scope } from "../../shapes/scope.ts";
import { resourceStatus } from "../../shapes/status.ts";
import { applicationsVersion } from "../version.ts";
import { listSecrets } from "./list-secrets.ts";

// `encoding` has no default here: it is `raw`, but `base64` for certificates.
const secretValue = object("A secret: either `value` or `valueFrom`, or neither where the store exists already.", {
  encoding: choice("How `value` is written.", ["raw", "base64"]),
  value: optionalSecret(text("The secret itself.")),
  valueFrom: object(
    "A secret in the store behind this one.",
    { name: text("Its name there."), version: text("Its version there.") },
    ["name"],
  ),
});

export const secretStores = defineType({
  name: "Applications.Core/secretStores",
  description: "Secrets, or a reference to where they are kept.",
  handler: givingOutSecrets(listSecrets),
  policy: { ...applicationPolicy, locationRequired: false },
  versions: {
    [applicationsVersion]: () =>
      resourceSchema(
        "The properties of a secret store.",
        {
          ...scope,
          type: choice(
            "What the secrets are for, which decides the keys that must be there.",
            ["generic", "certificate", "basicAuthentication", "azureWorkloadIdentity", "awsIRSA"],
            { default: "generic" },
          ),
          data: map("The secrets by key.", secretValue),
          resource: text("The existing secret behind the store: `{namespace}/{name}` or `{name}`."),
          status: resourceStatus(),
        },
        ["data"],
      ),
  },
});
