import { asynchronousPolicy } from "@rad/resources/policy";
import { defineType } from "../../built-in-type.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { applicationsVersion } from "../../applications-core/version.ts";
import { componentHandler } from "../check-component.ts";
import { daprComponent } from "../component.ts";

export const daprSecretStores = defineType({
  name: "Applications.Dapr/secretStores",
  description: "A Dapr secret store.",
  handler: componentHandler,
  policy: asynchronousPolicy(60, 60),
  versions: {
    [applicationsVersion]: () =>
      resourceSchema("The properties of a Dapr secret store.", daprComponent(), ["environment"]),
  },
});
