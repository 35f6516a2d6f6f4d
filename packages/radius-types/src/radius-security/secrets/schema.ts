import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion } from "../../shapes/recipe-backed.ts";
import { requireEnvironment } from "./require-environment.ts";
import { choice, map, object, sensitive, text } from "../../shapes/schema-parts.ts";

const kinds = [
  "generic",
  "certificate-pem",
  "certificate-pkcs12",
  "basicAuthentication",
  "awsIRSA",
  "azureWorkloadIdentity",
];

const example = {
  environment: "/planes/radius/local/resourceGroups/default/providers/Radius.Core/environments/default",
  data: { password: { value: "value" } },
};

export const secrets = defineType({
  name: "Radius.Security/secrets",
  description: "Secret values by key.",
  versions: {
    [recipeBackedVersion]: () => ({
      ...recipeBackedSchema(
        "The properties of a secret.",
        {
          environment: text("The resource id of the environment that this is deployed to. Required in a group."),
          kind: choice("What the values are for, which decides the keys that must be there.", kinds),
          type: choice("Another name for `kind`.", kinds),
          data: map(
            "The values by key.",
            object(
              "A value.",
              {
                value: sensitive(text("The value itself.")),
                encoding: choice("How `value` is written.", ["string", "base64"]),
              },
              ["value"],
            ),
          ),
        },
        ["data"],
        { needsEnvironment: false },
      ),
      example, // what is required depends on the scope
    }),
  },
  handler: { validate: requireEnvironment },
});
