import { asynchronousPolicy } from "@rad/resources/policy";
import { defineType } from "../../built-in-type.ts";
import { extensions } from "../../shapes/extensions.ts";
import { identitySettings } from "../../shapes/identity.ts";
import { resourceReferences } from "../../shapes/references.ts";
import { resourceSchema } from "../../shapes/resource-schema.ts";
import { choice, flag, list, map, object, openObject, text } from "../../shapes/schema-parts.ts";
import { scope } from "../../shapes/scope.ts";
import { resourceStatus } from "../../shapes/status.ts";
import { applicationsVersion } from "../version.ts";
import { container } from "./container.ts";

const connection = object(
  "A connection.",
  {
    source: text("The resource id or the URL to connect to."),
    disableDefaultEnvVars: flag("Whether to leave out the environment variables that describe the connection.", {
      default: false,
    }),
    iam: object(
      "The cloud permissions that the container gets on the source.",
      {
        kind: choice("The cloud.", ["azure"]),
        roles: list("The roles to assign.", text("The name of a role.")),
      },
      ["kind"],
    ),
  },
  ["source"],
);

const runtimes = object("Settings for the platform that runs the container.", {
  kubernetes: object("For Kubernetes.", {
    base: text("Kubernetes manifests as YAML to start from."),
    pod: openObject("A patch for the pod specification (strategic merge).", {}),
  }),
  aci: object("For Azure Container Instances.", { gatewayID: text("The id of the application gateway to use.") }),
});

export const containers = defineType({
  name: "Applications.Core/containers",
  description: "A container that runs as a part of an application.",
  policy: asynchronousPolicy(20, 20),
  versions: {
    [applicationsVersion]: () =>
      resourceSchema(
        "The properties of a container.",
        {
          ...scope,
          container: container(),
          connections: map("The resources that the container uses, by a name of the author's choice.", connection),
          identity: identitySettings("The identity of the container; filled in by its deployment."),
          extensions: extensions(),
          resourceProvisioning: choice("Who creates the container: Radius, or the author.", ["internal", "manual"], {
            default: "internal",
          }),
          resources: resourceReferences(),
          restartPolicy: choice("When the container is started again after it ended.", [
            "Always",
            "OnFailure",
            "Never",
          ]),
          runtimes,
          status: resourceStatus(),
        },
        ["application", "container"],
      ),
  },
});
