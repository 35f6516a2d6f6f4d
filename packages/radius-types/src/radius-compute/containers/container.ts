import type { JsonObject } from "@rad/core";
import { choice, flag, integer, list, map, object, text } from "../../shapes/schema-parts.ts";

export function container(): JsonObject {
  return object(
    "A container.",
    {
      image: text("The container image."),
      initContainer: flag("Whether it runs to its end before the others start."),
      command: list("What runs instead of the image's entrypoint.", text("A part of the command.")),
      args: list("What replaces the image's arguments.", text("An argument.")),
      env: map("Environment variables by name.", environmentVariable),
      workingDir: text("The folder that the command runs in."),
      resources: object("How much of the machine it takes.", {
        requests: amounts("What it is sure to get."),
        limits: amounts("What it cannot exceed."),
      }),
      ports: map(
        "Ports that it listens at, by name.",
        object(
          "A port.",
          {
            containerPort: integer("The number of the port."),
            protocol: choice("The transport protocol.", ["TCP", "UDP"]),
          },
          ["containerPort"],
        ),
      ),
      volumeMounts: list(
        "The volumes that it mounts.",
        object(
          "A mounted volume.",
          {
            volumeName: text("The name of the volume in `volumes`."),
            mountPath: text("The folder in the container that it is mounted at."),
          },
          ["volumeName", "mountPath"],
        ),
      ),
      readinessProbe: probe("Tells when the container can take requests."),
      livenessProbe: probe("Tells when the container has to be started again."),
    },
    ["image"],
  );
}

const environmentVariable = object("A variable: either `value` or `valueFrom`.", {
  value: text("The value."),
  valueFrom: object("Where the value comes from.", {
    secretKeyRef: object("A value of a secret.", {
      secretName: text("The name of the secret."),
      key: text("The key in the secret."),
    }),
  }),
});

function amounts(description: string): JsonObject {
  return object(description, {
    cpu: text("Cores, such as `0.5` or `500m`."),
    memoryInMib: integer("Memory in MiB."),
  });
}

function probe(description: string): JsonObject {
  return object(description, {
    exec: object(
      "A command in the container that has to end with 0.",
      { command: list("The command.", text("A part of the command.")) },
      ["command"],
    ),
    httpGet: object(
      "An HTTP GET that has to succeed.",
      {
        path: text("The path to ask for."),
        port: integer("The port to ask."),
        httpHeaders: list(
          "Headers to send.",
          object("A header.", { name: text("Its name."), value: text("Its value.") }, ["value"]),
        ),
        scheme: choice("The scheme.", ["http", "https"]),
      },
      ["path", "port"],
    ),
    tcpSocket: object("A TCP connection that has to open.", { port: integer("The port to connect to.") }, ["port"]),
    initialDelaySeconds: integer("How long to wait before the first check."),
    terminationGracePeriodSeconds: integer("How long the container has to end after a failed check."),
    periodSeconds: integer("How long to wait between two checks."),
    timeoutSeconds: integer("How long a check may take."),
    failureThreshold: integer("How many checks in a row have to fail."),
    successThreshold: integer("How many checks in a row have to succeed."),
  });
}
