import type { JsonObject } from "@rad/core";
import { choice, integer, list, map, text, variants } from "./schema-parts.ts";
import type { Variant } from "./schema-parts.ts";

const kinds = {
  kubernetesMetadata: {
    description: "Labels and annotations for the Kubernetes objects that are created.",
    properties: {
      annotations: map("Annotations to add.", text("The value of an annotation.")),
      labels: map("Labels to add.", text("The value of a label.")),
    },
  },
  kubernetesNamespace: {
    description: "The Kubernetes namespace of the application.",
    properties: { namespace: text("The name of the namespace.") },
    required: ["namespace"],
  },
  aci: {
    description: "The place of the application in Azure Container Instances.",
    properties: { resourceGroup: text("The id of the Azure resource group.") },
    required: ["resourceGroup"],
  },
  manualScaling: {
    description: "A fixed number of replicas.",
    properties: { replicas: integer("How many replicas run.") },
    required: ["replicas"],
  },
  daprSidecar: {
    description: "A Dapr sidecar beside the container.",
    properties: {
      appId: text("The Dapr application id."),
      appPort: integer("The port at which Dapr reaches the application."),
      config: text("The name of the Dapr configuration to use."),
      protocol: choice("The protocol between Dapr and the application.", ["http", "grpc"], { default: "http" }),
    },
    required: ["appId"],
  },
} as const satisfies Record<string, Variant>;

/** Extensions of a resource. Every type accepts every kind, and uses those that mean something to it. */
export function extensions(): JsonObject {
  return list(
    "Additions to how the resource is deployed.",
    variants({
      description: "An extension.",
      by: "kind",
      byDescription: "What it adds.",
      variants: kinds,
    }),
  );
}
