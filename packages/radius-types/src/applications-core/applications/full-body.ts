import type { JsonObject } from "@rad/core";
import { environmentId } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    environment: environmentId,
    extensions: [
      { kind: "kubernetesMetadata", annotations: { "team.example/contact": "ann" }, labels: { team: "web" } },
      { kind: "kubernetesNamespace", namespace: "shop" },
      { kind: "aci", resourceGroup: "/subscriptions/s/resourceGroups/g" },
    ],
  },
];
