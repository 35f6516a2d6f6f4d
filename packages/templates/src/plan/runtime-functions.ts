import type { JsonValue } from "@rad/core";
import type { Budget } from "../budget.ts";
import { tryGetFunction } from "../functions/access.ts";
import { define, type FunctionCall, type FunctionDefinition } from "../functions/function-call.ts";
import { fromJson } from "../values/json-conversion.ts";
import { getMember } from "../values/members.ts";
import { opaque } from "../values/opaque-value.ts";
import { isObject, type Value } from "../values/value.ts";
import { toSmallJson } from "./measured-json.ts";
import { pendingAction, pendingRead } from "./pending-calls.ts";
import { flattenedResource } from "./flattened-resource.ts";
import { fromPartialJson } from "./open-object.ts";
import type { NodeResult, PendingCall, PlanResults, ProviderKind } from "./plan.ts";
import { Pending, PlanProblem } from "./plan-problem.ts";
import { providerOfId } from "./providers.ts";
import type { ResourceIndex } from "./resource-index.ts";
import type { ResourceInstance } from "./resource-instance.ts";

export interface RuntimeContext {
  readonly index: ResourceIndex;
  readonly results: PlanResults;
  /** Whose body is being evaluated, if it is one. */
  readonly self: ResourceInstance | undefined;
  readonly listFunctions: ReadonlySet<string>;
  readonly maxLength: number;
  /** What an action tells is often a key or a password; then nobody is to look at it. */
  readonly areActionsOpaque?: boolean;
}

/** Numbers of arguments, for checking calls before there is anything to read. */
export const runtimeSignatures = [
  { name: "reference", minArgs: 1, maxArgs: 3 },
  { name: "references", minArgs: 1, maxArgs: 2 },
  { name: "invokeResourceMethod", minArgs: 2, maxArgs: 3 },
  { name: "target", minArgs: 0, maxArgs: 1 },
] as const;

/** The functions that read what is deployed. Where a result is missing, they throw `Pending` with the call to make. */
export function runtimeFunctions(context: RuntimeContext): FunctionDefinition[] {
  return [
    define("reference", [1, 3], (call) => reference(call, context)),
    define("references", [1, 2], (call) => references(call, context)),
    define("invokeResourceMethod", [2, 3], (call) => invokeMethod(call, context)),
    define("target", [0, 1], (call) => previous(call, context)),
    tryGetFunction(deployedOrNull),
    ...[...context.listFunctions].map((name) => define(name, [1, 3], (call) => list(call, context))),
  ];
}

function reference(call: FunctionCall, context: RuntimeContext): Value {
  const text = call.string(0);
  const full = isFull(call, 2);
  const target = context.index.find(text);
  if (target?.kind === "loop") {
    throw call.invalid(`"${text}" is a loop; one of its resources is "${text}[0]"`);
  }
  if (target !== undefined) {
    return readInstance(target.instance, full, context, call.budget);
  }
  if (!text.startsWith("/")) {
    throw unknown(call, text);
  }
  if (call.count < 2) {
    throw call.invalid("a resource outside of the template needs an API version");
  }
  const body = answer(pendingRead(text, call.string(1), providerOfId(text)), context, call.budget);
  return full ? body : propertiesOf(body);
}

/** What `resource.?member` is compiled to asks for an extension resource whether or not it is deployed. */
function deployedOrNull(call: FunctionCall): Value {
  try {
    return call.value(0);
  } catch (error) {
    if (error instanceof PlanProblem && error.reason === "NotDeployed") {
      return null;
    }
    throw error;
  }
}

function references(call: FunctionCall, context: RuntimeContext): Value {
  const text = call.string(0);
  const target = context.index.find(text);
  if (target?.kind !== "loop") {
    throw target === undefined ? unknown(call, text) : call.invalid(`"${text}" is not a loop`);
  }
  const full = isFull(call, 1);
  call.budget.spend(target.instances.length);
  const deployed = target.instances.filter((instance) => instance.deployed);
  return deployed.map((instance) => readInstance(instance, full, context, call.budget));
}

/** The properties of a resource; an extension resource has nothing but properties, so that is all of it. */
function readInstance(instance: ResourceInstance, full: boolean, context: RuntimeContext, budget: Budget): Value {
  if (!instance.deployed) {
    const message = `The resource "${instance.key}" is not deployed, because its condition is false.`;
    throw new PlanProblem("NotDeployed", message);
  }
  const result = context.results.node(instance.key);
  const body = result === undefined ? readAgain(instance, context, budget) : converted(result, budget);
  if (instance.provider === "radius") {
    return flattenedResource(body);
  }
  return full || isExtension(instance) ? body : propertiesOf(body);
}

/** A resource of the template on which nothing is known to depend, so that it was not waited for. */
function readAgain({ id, provider, entry }: ResourceInstance, context: RuntimeContext, budget: Budget): Value {
  if (id === undefined) {
    throw new Pending();
  }
  return answer(pendingRead(id, entry.apiVersion, provider, entry.options.nullIfNotFound === true), context, budget);
}

function list(call: FunctionCall, context: RuntimeContext): Value {
  if (context.areActionsOpaque === true) {
    return opaque();
  }
  const { id, apiVersion, provider, instance } = actionTarget(call, context);
  const body = call.count > 2 ? json(call.value(2), context, call.budget) : undefined;
  return answer(
    pendingAction({
      id,
      action: call.name,
      apiVersion: call.count > 1 ? call.string(1) : apiVersion,
      provider,
      target: instance?.key,
      body,
      args: [],
    }),
    context,
    call.budget,
  );
}

function invokeMethod(call: FunctionCall, context: RuntimeContext): Value {
  if (context.areActionsOpaque === true) {
    return opaque();
  }
  const { id, apiVersion, provider, instance } = actionTarget(call, context);
  const args = call.count > 2 ? call.array(2).map((arg) => json(arg, context, call.budget)) : [];
  const action = call.string(1);
  return answer(
    pendingAction({ id, action, apiVersion, provider, target: instance?.key, body: undefined, args }),
    context,
    call.budget,
  );
}

interface ActionTarget {
  readonly id: string;
  readonly apiVersion: string | undefined;
  readonly provider: ProviderKind;
  readonly instance: ResourceInstance | undefined;
}

function actionTarget(call: FunctionCall, context: RuntimeContext): ActionTarget {
  const text = call.string(0);
  const target = context.index.find(text);
  if (target?.kind === "loop") {
    throw call.invalid(`"${text}" is a loop; one of its resources is "${text}[0]"`);
  }
  if (target === undefined) {
    if (!text.startsWith("/")) {
      throw unknown(call, text);
    }
    return { id: text, apiVersion: undefined, provider: providerOfId(text), instance: undefined };
  }
  const { instance } = target;
  if (!instance.deployed) {
    const message = `The resource "${instance.key}" is not deployed, because its condition is false.`;
    throw new PlanProblem("NotDeployed", message);
  }
  const id = instance.id ?? idInResult(context.results.node(instance.key), call.budget);
  return { id, apiVersion: instance.entry.apiVersion, provider: instance.provider, instance };
}

/** Some providers choose the id, so that only the result tells it. */
function idInResult(result: NodeResult | undefined, budget: Budget): string {
  const value = result === undefined ? null : converted(result, budget);
  const id = isObject(value) ? getMember(value, "id") : undefined;
  if (typeof id !== "string") {
    throw new Pending();
  }
  return id;
}

/** `target()`: the resource as it was before this deployment, or null. */
function previous(call: FunctionCall, { self, ...context }: RuntimeContext): Value {
  if (self?.id === undefined) {
    throw new PlanProblem("FunctionNotAllowed", `${call.name}: there is no resource here that has an id.`);
  }
  const read = pendingRead(self.id, self.entry.apiVersion, self.provider, true);
  const body = answer(read, { ...context, self }, call.budget);
  return isFull(call, 0) || isExtension(self) ? body : propertiesOf(body);
}

function answer(call: PendingCall, { results }: RuntimeContext, budget: Budget): Value {
  const result = results.call(call.key);
  if (result === undefined) {
    throw new Pending(call);
  }
  return converted(result, budget);
}

function isFull(call: FunctionCall, at: number): boolean {
  return call.count > at && call.string(at).toLowerCase() === "full";
}

function isExtension({ provider }: ResourceInstance): boolean {
  return provider !== "azure" && provider !== "deployments";
}

function propertiesOf(body: Value): Value {
  return isObject(body) ? (getMember(body, "properties") ?? new Map<string, Value>()) : body;
}

function unknown(call: FunctionCall, text: string): PlanProblem {
  return new PlanProblem("UnknownDependency", `${call.name}: the resource "${text}" is not defined in the template.`);
}

function json(value: Value, { maxLength }: RuntimeContext, budget: Budget): JsonValue {
  return toSmallJson(value, maxLength, budget);
}

/** Results do not change, so that each is converted once however many expressions read it. */
const conversions = new WeakMap<object, Value>();

function converted({ body, open }: NodeResult, budget: Budget): Value {
  if (typeof body !== "object" || body === null) {
    return fromJson(body);
  }
  const known = conversions.get(body) ?? (open === undefined ? fromJson(body, budget) : fromPartialJson(body, open));
  conversions.set(body, known);
  return known;
}
