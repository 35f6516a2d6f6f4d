import type { JsonObject } from "@rad/core";
import { applicationId, environmentId } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    application: applicationId,
    environment: environmentId,
    host: "redis.example",
    port: 6380,
    username: "ann",
    tls: true,
    secrets: { connectionString: "hush", password: "hush", url: "hush" },
    resources: [{ id: "/subscriptions/s/resourceGroups/g/providers/X.Y/z/n" }],
    resourceProvisioning: "manual",
    recipe: { name: "default", parameters: { size: 1 } },
  },
];
