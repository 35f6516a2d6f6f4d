import type { JsonObject } from "@rad/core";

/** One extension of each kind, with every member. */
export const allExtensions: JsonObject[] = [
  { kind: "kubernetesMetadata", annotations: { "team.example/contact": "ann" }, labels: { team: "web" } },
  { kind: "kubernetesNamespace", namespace: "shop" },
  { kind: "aci", resourceGroup: "/subscriptions/s/resourceGroups/g" },
  { kind: "manualScaling", replicas: 2 },
  { kind: "daprSidecar", appId: "web", appPort: 3000, config: "c", protocol: "grpc" },
];
