import type { JsonObject } from "@rad/core";
import { applicationId, environmentId } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    application: applicationId,
    environment: environmentId,
    type: "component.example",
    version: "v1",
    metadata: { host: { value: "h" }, password: { secretKeyRef: { name: "s", key: "k" } } },
    resourceProvisioning: "manual",
  },
  { environment: environmentId, recipe: { name: "default", parameters: { size: 1 } } },
];
