import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { listMember, numberMember, textMember } from "../../../rendering/members.ts";

const usualMaxReplicas = 10;

const targets: Readonly<Record<string, string>> = {
  averageUtilization: "Utilization",
  averageValue: "AverageValue",
  value: "Value",
};

/** The `spec` of a HorizontalPodAutoscaler. */
export function autoScalerSpec(name: string, properties: JsonObject): JsonObject {
  const scaling = objectMember(properties, "autoScaling");
  return {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
    minReplicas: numberMember(properties, "replicas") ?? 1,
    maxReplicas: numberMember(scaling, "maxReplicas") ?? usualMaxReplicas,
    metrics: listMember(scaling, "metrics").map((metric, index) =>
      renderedMetric(metric, `$.properties.autoScaling.metrics[${index}]`),
    ),
  };
}

function renderedMetric(metric: JsonObject, at: string): JsonObject {
  const kind = textMember(metric, "kind") ?? "";
  const [given, ...others] = Object.entries(objectMember(metric, "target"));
  if (given === undefined || others.length > 0) {
    throw refused("A metric needs exactly one target: 'averageUtilization', 'averageValue' or 'value'.", at);
  }
  const [name, value] = given;
  // A utilization is a percentage; the others are quantities, which are texts.
  const target = { type: targets[name] ?? "", [name]: name === "averageUtilization" ? value : JSON.stringify(value) };
  if (kind !== "custom") {
    if (name === "value") {
      throw refused(`The metric '${kind}' has an average over the replicas as target, not 'value'.`, at);
    }
    return { type: "Resource", resource: { name: kind, target } };
  }
  const customMetric = textMember(metric, "customMetric");
  if (customMetric === undefined) {
    throw refused("A metric of the kind 'custom' needs the name of the metric in 'customMetric'.", at);
  }
  if (name === "averageUtilization") {
    throw refused("A metric of the kind 'custom' has no utilization. Use 'averageValue' or 'value'.", at);
  }
  return name === "value"
    ? { type: "External", external: { metric: { name: customMetric }, target } }
    : { type: "Pods", pods: { metric: { name: customMetric }, target } };
}

function refused(message: string, target: string): ApiError {
  return new ApiError("BadRequest", message, { target });
}
