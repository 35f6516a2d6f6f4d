import type { JsonObject } from "@rad/core";
import { applicationId, environmentId } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    application: applicationId,
    environment: environmentId,
    type: "generic",
    data: { token: { encoding: "raw", value: "hush" }, key: { encoding: "base64", value: "aHVzaA==" } },
    resource: "default/tokens",
  },
  { data: { other: { valueFrom: { name: "secret/other", version: "1" } } } },
];
