import type { JsonObject } from "@rad/core";
import { secretReference } from "../../shapes/references.ts";
import { choice, integer, list, map, number, object, text, variants } from "../../shapes/schema-parts.ts";

export function container(): JsonObject {
  return object(
    "What runs, and how.",
    {
      image: text("The container image."),
      imagePullPolicy: choice("When the image is pulled.", ["Always", "IfNotPresent", "Never"]),
      env: map("Environment variables by name.", environmentVariable),
      ports: map("Ports that the container listens at, by a name of the author's choice.", port),
      readinessProbe: probe("Tells when the container can take requests."),
      livenessProbe: probe("Tells when the container has to be started again."),
      volumes: map("Mounted volumes by a name of the author's choice.", volume),
      command: list("What runs instead of the image's entrypoint.", text("A part of the command.")),
      args: list("What replaces the image's arguments.", text("An argument.")),
      workingDir: text("The folder that the command runs in."),
    },
    ["image"],
  );
}

const environmentVariable = object("A variable: either `value` or `valueFrom`.", {
  value: text("The value."),
  valueFrom: object(
    "Where the value comes from.",
    { secretRef: secretReference("A secret store, or the name of a Kubernetes secret, and a key in it.") },
    ["secretRef"],
  ),
});

const port = object(
  "A port.",
  {
    containerPort: integer("The number of the port in the container."),
    port: integer("The port that others use; `containerPort` when absent."),
    protocol: choice("The transport protocol.", ["TCP", "UDP"], { default: "TCP" }),
    scheme: text("The scheme of URLs to the port, such as `http`."),
  },
  ["containerPort"],
);

function probe(description: string): JsonObject {
  return variants({
    description,
    by: "kind",
    byDescription: "How the container is asked.",
    common: {
      initialDelaySeconds: number("How long to wait before the first check."),
      failureThreshold: number("How many checks in a row have to fail."),
      periodSeconds: number("How long to wait between two checks."),
      timeoutSeconds: number("How long a check may take.", { default: 5 }),
    },
    variants: {
      httpGet: {
        description: "An HTTP GET that has to succeed.",
        properties: {
          containerPort: integer("The port to ask."),
          path: text("The path to ask for."),
          headers: map("Headers to send.", text("The value of a header.")),
        },
        required: ["containerPort", "path"],
      },
      tcp: {
        description: "A TCP connection that has to open.",
        properties: { containerPort: integer("The port to connect to.") },
        required: ["containerPort"],
      },
      exec: {
        description: "A command in the container that has to end with 0.",
        properties: { command: text("The command.") },
        required: ["command"],
      },
    },
  });
}

const volume = variants({
  description: "A mounted volume.",
  by: "kind",
  byDescription: "Where its content is kept.",
  common: { mountPath: text("The folder in the container that the volume is mounted at.") },
  variants: {
    ephemeral: {
      description: "A volume that ends with the container.",
      properties: { managedStore: choice("What holds the content.", ["memory", "disk"]) },
      required: ["managedStore"],
    },
    persistent: {
      description: "A volume that outlives the container.",
      properties: {
        source: text("The resource id of the volume."),
        permission: choice("What the container may do with it.", ["read", "write"], { default: "read" }),
      },
      required: ["source"],
    },
  },
});
