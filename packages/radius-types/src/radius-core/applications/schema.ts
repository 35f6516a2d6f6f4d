import { defineType } from "../../built-in-type.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { scope } from "../../shapes/scope.ts";
import { applicationStatus } from "../../shapes/status.ts";
import { radiusCoreVersion } from "../version.ts";
import { withMappings } from "../../shapes/with-mappings.ts";

export const radiusApplications = defineType({
  name: "Radius.Core/applications",
  description: "A set of resources that belong together.",
  versions: {
    [radiusCoreVersion]: () =>
      withMappings(
        resourceSchema(
          "The properties of an application.",
          { environment: scope.environment, status: applicationStatus() },
          ["environment"],
        ),
      ),
  },
});
