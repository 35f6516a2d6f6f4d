import { defineType } from "../../built-in-type.ts";
import { provisioning } from "../../shapes/recipe.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { anything, map, optionalSecret } from "../../shapes/schema-parts.ts";
import { scope } from "../../shapes/scope.ts";
import { resourceStatus } from "../../shapes/status.ts";
import { applicationsVersion } from "../version.ts";
import { listSecrets } from "./list-secrets.ts";

export const extenders = defineType({
  name: "Applications.Core/extenders",
  description: "Anything that a recipe makes and no other type describes.",
  listSecrets,
  versions: {
    [applicationsVersion]: () =>
      resourceSchema(
        "The properties of an extender; members beyond those described here are kept as they are.",
        {
          ...scope,
          secrets: optionalSecret(map("Secret values for those who connect to the extender.", anything("A secret."))),
          ...provisioning(),
          status: resourceStatus(),
        },
        ["environment"],
        { additionalProperties: true },
      ),
  },
});
