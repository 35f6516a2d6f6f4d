import { type JsonObject, isJsonObject, objectMember } from "@rad/core";
import type { KubernetesObject } from "../kubernetes-object.ts";
import { conditionsIn } from "./condition-state.ts";
import type { State } from "./state.ts";
import { failing, ready, waiting } from "./state.ts";

/** A root has a host or includes others; the rest says nothing of use before a root includes it. */
export function isRootProxy(proxy: KubernetesObject): boolean {
  const spec = objectMember(proxy, "spec");
  return isJsonObject(spec["virtualhost"]) || (Array.isArray(spec["includes"]) && spec["includes"].length > 0);
}

/** `invalid` passes when Contour has yet to see a child that the root includes, hence `failing`. */
export function stateOfProxy(proxy: KubernetesObject): State {
  const status = objectMember(proxy, "status");
  const { generation } = proxy.metadata;
  const seen = conditionsIn(status).find(({ type }) => type === "Valid")?.observedGeneration;
  if (typeof generation === "number" && seen !== undefined && seen < generation) {
    return waiting("Contour has not seen the change yet");
  }
  switch (status["currentStatus"]) {
    case "valid":
      return ready;
    case "invalid":
      return failing(errorsOf(status));
    default:
      return waiting(
        typeof status["description"] === "string" && status["description"] !== ""
          ? status["description"]
          : "Contour has not said yet whether it is valid",
      );
  }
}

function errorsOf(status: JsonObject): string {
  const conditions = Array.isArray(status["conditions"]) ? status["conditions"] : [];
  const errors = conditions
    .filter(isJsonObject)
    .filter(({ type }) => type === "Valid")
    .flatMap((condition) => (Array.isArray(condition["errors"]) ? condition["errors"] : []))
    .filter(isJsonObject)
    .map((error) => {
      const [type, state, reason, message] = ["type", "status", "reason", "message"].map((name) => textIn(error, name));
      return `Error - Type: ${type}, Status: ${state}, Reason: ${reason}, Message: ${message}`;
    });
  return errors.length > 0
    ? errors.join("; ")
    : `Failed to deploy HTTP proxy. Description: ${textIn(status, "description")}`;
}

function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}
