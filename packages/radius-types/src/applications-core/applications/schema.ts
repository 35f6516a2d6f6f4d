import { applicationPolicy } from "@rad/resources/policy";
import { defineType } from "../../built-in-type.ts";
import { extensions } from "../../shapes/extensions.ts";
import { getGraph } from "../../graph/get-graph.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { scope } from "../../shapes/scope.ts";
import { resourceStatus } from "../../shapes/status.ts";
import { applicationsVersion } from "../version.ts";

export const applications = defineType({
  name: "Applications.Core/applications",
  description: "A set of resources that belong together.",
  policy: applicationPolicy,
  handler: { actions: { getGraph } },
  versions: {
    [applicationsVersion]: () =>
      resourceSchema(
        "The properties of an application.",
        {
          environment: scope.environment,
          extensions: extensions(),
          status: resourceStatus(),
        },
        ["environment"],
      ),
  },
});
