import type { JsonObject } from "@rad/core";
import type { Pausing } from "../pausing.ts";
import { fromJsonPausing } from "../values/json-conversion.ts";
import { isObject, type Value } from "../values/value.ts";
import type { JsonValue } from "@rad/core";
import { lambdaHolds } from "./apply-lambda.ts";
import { evaluateNested } from "./evaluate-nested.ts";
import { EvaluationSession } from "./evaluation-session.ts";
import { toMeasuredJson } from "./measured-json.ts";
import type { Evaluation, EvaluationOptions, NodeRequest, Plan, PlanFailure, PlanResults } from "./plan.ts";
import { PlanProblem, ProblemLog } from "./plan-problem.ts";
import { PreparedPlan, runtimeEnvironment, type PreparedParts } from "./prepared-plan.ts";
import type { ResourceInstance } from "./resource-instance.ts";
import { type SecretFinder, secretFinder } from "./secret-finder.ts";

const nothingToDo: Evaluation<NodeRequest> = { kind: "ready", value: { kind: "none" }, unknown: [] };

/**
 * What to send for a node, now that everything it depends on is done. It may ask for calls to be made first; make them,
 * add their answers to `results` and evaluate again.
 */
export function* evaluateNode(
  plan: Plan,
  key: string,
  results: PlanResults,
  options: EvaluationOptions = {},
): Pausing<Evaluation<NodeRequest>> {
  const parts = PreparedPlan.partsOf(plan);
  const instance = parts.instances.get(key);
  const node = plan.nodes.get(key);
  if (node === undefined) {
    throw new TypeError(`The plan has no node "${key}".`);
  }
  if (instance === undefined || node.kind === "barrier" || node.skipped !== undefined) {
    return nothingToDo;
  }
  const session = new EvaluationSession(runtimeEnvironment(parts, results, instance), options);
  const secrets = secretFinder({ parts, instance, session, results, options });
  return yield* parts.loops.allSlices(instance.rounds, () =>
    session.finish(instance.entry.path, plan.secrets, () => request(instance, session, parts, secrets)),
  );
}

/** Whether a resource is as far as its `waitUntil` wants it; `body` is the whole resource. */
export function* isReady(plan: Plan, key: string, body: JsonValue): Pausing<boolean | PlanFailure> {
  const parts = PreparedPlan.partsOf(plan);
  const instance = parts.instances.get(key);
  const lambda = instance?.entry.waitUntil?.lambda;
  if (instance === undefined || lambda === undefined) {
    return true;
  }
  const log = new ProblemLog();
  const budget = parts.budget.share();
  const ready = yield* log.attemptAll(lambda.path, function* () {
    const value = yield* fromJsonPausing(body, budget);
    return parts.loops.all(instance.rounds, () => lambdaHolds(lambda.expression, value, parts.scope, budget));
  });
  log.hide(plan.secrets);
  return ready ?? { kind: "failed", errors: log.errors };
}

function* request(
  instance: ResourceInstance,
  session: EvaluationSession,
  parts: PreparedParts,
  secrets: SecretFinder,
): Pausing<NodeRequest> {
  const { entry, id } = instance;
  if (entry.nested !== undefined) {
    return yield* evaluateNested(instance, entry.nested, { session, parts, secrets });
  }
  const body = bodyOf(instance, instance.constantBody ?? (yield* session.evaluate(entry.body)));
  const { budget } = session.environment;
  const json = yield* toMeasuredJson(body, parts.limits.resourceLength, budget, entry.path);
  const { apiVersion } = entry;
  if (entry.existing) {
    return { kind: "read", id, apiVersion, body: json as JsonObject };
  }
  return {
    kind: "put",
    method: entry.method,
    id,
    apiVersion,
    body: json as JsonObject,
    secrets: yield* secrets(entry.body, body, (blind) => bodyOf(instance, blind)),
  };
}

function bodyOf({ provider, entry }: ResourceInstance, value: Value): Value {
  if (!isObject(value)) {
    throw new PlanProblem("InvalidShape", "A resource must be an object.");
  }
  if (provider === "aws") {
    return new Map([...value].filter(([name]) => name.toLowerCase() !== "alias"));
  }
  return provider === "kubernetes" ? kubernetesObject(entry.type, entry.apiVersion ?? "", value) : value;
}

/** `group/Kind@version`; the group `core` is the one without a name. */
function kubernetesObject(type: string, version: string, value: ReadonlyMap<string, Value>): Value {
  const slash = type.lastIndexOf("/");
  const group = type.slice(0, slash);
  const apiVersion = group.toLowerCase() === "core" ? version : `${group}/${version}`;
  return new Map<string, Value>([["apiVersion", apiVersion], ["kind", type.slice(slash + 1)], ...value]);
}
