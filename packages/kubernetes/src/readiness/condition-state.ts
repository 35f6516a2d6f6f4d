import { type JsonObject, isJsonObject, objectMember } from "@rad/core";
import type { KubernetesObject } from "../kubernetes-object.ts";
import { textOfCondition } from "./pod-state.ts";
import type { State } from "./state.ts";
import { failed, ready, waiting } from "./state.ts";
import type { Condition } from "../views.ts";

export interface ConditionRules {
  readonly types: readonly string[];
  /** The state of an object that has none of them. */
  readonly withoutThem: State;
}

/**
 * The state of an object whose controller tells it in conditions, by the rules that kstatus and `kubectl wait` made common.
 *
 * @param rules.types conditions that say whether the object is ready; the first that it has decides
 */
export function stateByConditions(object: KubernetesObject, { types, withoutThem }: ConditionRules): State {
  const status = objectMember(object, "status");
  const generation = numberIn(object.metadata, "generation") ?? 0;
  if ((numberIn(status, "observedGeneration") ?? generation) < generation) {
    return waiting("its controller has not seen the change yet");
  }
  const conditions = conditionsIn(status);
  const stalled = conditions.find(({ type }) => type === "Stalled");
  if (stalled?.status === "True") {
    return failed(textOfCondition(stalled));
  }
  const decisive = types
    .map((name) => conditions.find(({ type }) => type === name))
    .find((found) => found !== undefined);
  if ((decisive?.observedGeneration ?? generation) < generation) {
    return waiting("its controller has not seen the change yet");
  }
  const reconciling = conditions.find(({ type }) => type === "Reconciling");
  if (reconciling?.status === "True") {
    return waiting(textOfCondition(reconciling));
  }
  if (decisive === undefined) {
    return withoutThem;
  }
  if (decisive.status === "True") {
    return ready;
  }
  return waiting(`condition ${decisive.type} is ${decisive.status}: ${textOfCondition(decisive)}`);
}

/** Leaves out what is no condition: the status of a custom object may hold anything. */
export function conditionsIn(status: JsonObject): Condition[] {
  const conditions = Array.isArray(status["conditions"]) ? status["conditions"] : [];
  return conditions.flatMap((condition) => {
    if (!isJsonObject(condition)) {
      return [];
    }
    const { type, status: value, reason, message } = condition;
    const observedGeneration = numberIn(condition, "observedGeneration");
    return typeof type === "string" && typeof value === "string"
      ? [
          {
            type,
            status: value,
            ...(typeof reason === "string" ? { reason } : {}),
            ...(typeof message === "string" ? { message } : {}),
            ...(observedGeneration === undefined ? {} : { observedGeneration }),
          },
        ]
      : [];
  });
}

function numberIn(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  return typeof value === "number" ? value : undefined;
}
