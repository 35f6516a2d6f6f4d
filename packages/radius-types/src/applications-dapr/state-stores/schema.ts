import { asynchronousPolicy } from "@rad/resources/policy";
import { defineType } from "../../built-in-type.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { applicationsVersion } from "../../applications-core/version.ts";
import { componentHandler } from "../check-component.ts";
import { daprBackedComponent } from "../component.ts";

export const stateStores = defineType({
  name: "Applications.Dapr/stateStores",
  description: "A Dapr state store.",
  handler: componentHandler,
  policy: asynchronousPolicy(60, 30),
  versions: {
    [applicationsVersion]: () =>
      resourceSchema("The properties of a Dapr state store.", daprBackedComponent(), ["environment"]),
  },
});
