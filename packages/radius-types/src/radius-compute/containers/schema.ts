import { defineType } from "../../built-in-type.ts";
import { recipeBackedSchema, recipeBackedVersion } from "../../shapes/recipe-backed.ts";
import { anything, choice, integer, list, map, object, readOnly, text } from "../../shapes/schema-parts.ts";
import { container } from "./container.ts";

const volume = object("A volume: one of the three.", {
  persistentVolume: object("A `Radius.Compute/persistentVolumes` resource.", {
    resourceId: text("Its resource id."),
    accessMode: choice("How it is mounted.", ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"]),
  }),
  secretName: text("The name of a secret whose keys become files."),
  emptyDir: object("A folder that ends with the containers.", {
    medium: choice("What holds the content.", ["disk", "memory"]),
  }),
});

const autoScaling = object(
  "How the number of replicas follows the load.",
  {
    maxReplicas: integer("How many replicas there may be."),
    metrics: list(
      "What is measured.",
      object(
        "A metric.",
        {
          kind: choice("What it measures.", ["cpu", "memory", "custom"]),
          customMetric: text("The name of a custom metric."),
          target: object("The value to keep it at.", {
            averageUtilization: integer("A percentage, on average over the replicas."),
            averageValue: integer("An amount, on average over the replicas."),
            value: integer("An amount in all."),
          }),
        },
        ["kind", "target"],
      ),
    ),
  },
  ["metrics"],
);

export const radiusContainers = defineType({
  name: "Radius.Compute/containers",
  description: "One or more containers that run together.",
  versions: {
    [recipeBackedVersion]: () =>
      recipeBackedSchema(
        "The properties of a group of containers.",
        {
          containers: map("The containers by name.", container()),
          volumes: map("The volumes that containers mount, by name.", volume),
          restartPolicy: choice("When a container is started again after it ended.", ["Always", "OnFailure", "Never"]),
          replicas: integer("How many replicas run."),
          autoScaling,
          extensions: object("Additions to how the containers are deployed.", {
            daprSidecar: object("A Dapr sidecar.", {
              appId: text("The Dapr application id."),
              appPort: integer("The port at which Dapr reaches the application."),
              config: text("The name of the Dapr configuration to use."),
            }),
          }),
          platformOptions: map("Settings for the platform behind the recipe.", anything("Up to the platform.")),
          hosts: readOnly(map("The host names of the containers.", text("A host name."))),
        },
        ["application", "containers"],
      ),
  },
});
