import { asynchronousPolicy } from "@rad/resources/policy";
import { defineType } from "../../built-in-type.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { applicationsVersion } from "../../applications-core/version.ts";
import { componentHandler } from "../check-component.ts";
import { daprBackedComponent } from "../component.ts";

export const configurationStores = defineType({
  name: "Applications.Dapr/configurationStores",
  description: "A Dapr configuration store.",
  handler: componentHandler,
  policy: asynchronousPolicy(60, 60),
  versions: {
    [applicationsVersion]: () =>
      resourceSchema("The properties of a Dapr configuration store.", daprBackedComponent(), ["environment"]),
  },
});
