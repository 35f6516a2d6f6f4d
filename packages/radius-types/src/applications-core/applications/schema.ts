import { defineType } from "../../built-in-type.ts";
import { extensions } from "../../shapes/extensions.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { scope } from "../../shapes/scope.ts";
import { applicationStatus } from "../../shapes/status.ts";
import { applicationsVersion } from "../version.ts";
import { withMappings } from "../../shapes/with-mappings.ts";

export const applications = defineType({
  name: "Applications.Core/applications",
  description: "A set of resources that belong together.",
  versions: {
    [applicationsVersion]: () =>
      withMappings(
        resourceSchema(
          "The properties of an application.",
          {
            environment: scope.environment,
            extensions: extensions("kubernetesMetadata", "kubernetesNamespace", "aci"),
            status: applicationStatus(),
          },
          ["environment"],
        ),
      ),
  },
});
