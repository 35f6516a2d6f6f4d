import { applicationPolicy } from "@rad/resources/policy";
import { defineType } from "../../built-in-type.ts";
import { getRadiusGraph } from "../../graph/get-graph.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { scope } from "../../shapes/scope.ts";
import { resourceStatus } from "../../shapes/status.ts";
import { radiusCoreVersion } from "../version.ts";

export const radiusApplications = defineType({
  name: "Radius.Core/applications",
  description: "A set of resources that belong together.",
  policy: { ...applicationPolicy, locationRequired: false },
  handler: { actions: { getGraph: getRadiusGraph } },
  versions: {
    [radiusCoreVersion]: () =>
      resourceSchema(
        "The properties of an application.",
        { environment: scope.environment, status: resourceStatus() },
        ["environment"],
      ),
  },
});
