import { asynchronousPolicy } from "@rad/resources/policy";
import { defineType } from "../../built-in-type.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { applicationsVersion } from "../../applications-core/version.ts";
import { componentHandler } from "../check-component.ts";
import { daprBackedComponent } from "../component.ts";

export const pubSubBrokers = defineType({
  name: "Applications.Dapr/pubSubBrokers",
  description: "A Dapr message broker.",
  handler: componentHandler,
  policy: asynchronousPolicy(60, 60),
  versions: {
    [applicationsVersion]: () =>
      resourceSchema("The properties of a Dapr message broker.", daprBackedComponent(), ["environment"]),
  },
});
