import type { JsonObject } from "@rad/core";
import { applicationId, environmentId } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    application: applicationId,
    environment: environmentId,
    server: "sql.example",
    port: 1433,
    database: "shop",
    username: "ann",
    secrets: { connectionString: "hush", password: "hush" },
    resources: [{ id: "/subscriptions/s/resourceGroups/g/providers/X.Y/z/n" }],
    resourceProvisioning: "manual",
    recipe: { name: "default", parameters: { size: 1 } },
  },
];
