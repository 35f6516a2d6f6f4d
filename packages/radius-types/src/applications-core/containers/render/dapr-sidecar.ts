import type { JsonObject } from "@rad/core";
import type { Labels } from "../../../rendering/labels.ts";

/** The annotations by which Dapr puts its sidecar into a pod. */
export function daprAnnotations(extension: JsonObject | undefined): Labels {
  if (extension === undefined) {
    return {};
  }
  const { appId, appPort, config, protocol } = extension;
  return {
    "dapr.io/enabled": "true",
    ...annotation("dapr.io/app-id", appId),
    ...annotation("dapr.io/app-port", appPort),
    ...annotation("dapr.io/config", config),
    // Dapr reads the first; upstream writes the second.
    ...annotation("dapr.io/app-protocol", protocol),
    ...annotation("dapr.io/protocol", protocol),
  };
}

function annotation(key: string, value: unknown): Labels {
  const isSet = (typeof value === "string" && value !== "") || (typeof value === "number" && value !== 0);
  return isSet ? { [key]: String(value) } : {};
}
