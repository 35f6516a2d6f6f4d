import type { JsonObject } from "@rad/core";
import { applicationId, environmentId } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    application: applicationId,
    environment: environmentId,
    queue: "jobs",
    host: "rabbit.example",
    port: 5671,
    vHost: "shop",
    username: "ann",
    tls: true,
    secrets: { password: "hush", uri: "hush" },
    resources: [{ id: "/subscriptions/s/resourceGroups/g/providers/X.Y/z/n" }],
    resourceProvisioning: "manual",
    recipe: { name: "default", parameters: { size: 1 } },
  },
];
