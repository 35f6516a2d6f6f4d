import type { JsonObject } from "@rad/core";
import { applicationId, environmentId } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    application: applicationId,
    environment: environmentId,
    secrets: { accountSid: "hush", nested: { token: "hush too" } },
    resourceProvisioning: "manual",
    recipe: { name: "twilio", parameters: { size: 1 } },
    fromNumber: "555",
  },
];
