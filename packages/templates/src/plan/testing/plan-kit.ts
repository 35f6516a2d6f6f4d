import assert from "node:assert/strict";
import { atOnce, type JsonObject, type JsonValue } from "@rad/core";
import { sliced } from "../../pausing.ts";
import { evaluateNode } from "../evaluate-node.ts";
import { evaluateOutputs } from "../evaluate-outputs.ts";
import type {
  Evaluation,
  NodeRequest,
  Outputs,
  Plan,
  PlanError,
  PlanFailure,
  PlanInput,
  PlanResults,
} from "../plan.ts";
import { planTemplate } from "../plan-template.ts";

export const group = "/planes/radius/local/resourcegroups/demo";
export const azureGroup = "/subscriptions/s1/resourceGroups/g1";

const schemas = "https://schema.management.azure.com/schemas/2019-04-01";

/** A template with symbolic names that can use the Radius extension. */
export function symbolic(parts: JsonObject): JsonObject {
  return {
    $schema: `${schemas}/deploymentTemplate.json#`,
    languageVersion: "2.0",
    contentVersion: "1.0.0.0",
    imports: { radius: { provider: "Radius", version: "latest" } },
    resources: {},
    ...parts,
  };
}

/** A template of language version 1.0. */
export function classic(parts: JsonObject): JsonObject {
  return { $schema: `${schemas}/deploymentTemplate.json#`, contentVersion: "1.0.0.0", resources: [], ...parts };
}

/** A Radius resource as the compiler writes it. */
export function thing(name: string, more: JsonObject = {}, properties: JsonObject = {}): JsonObject {
  return { import: "radius", type: "Radius.Test/things@2025-01-01", properties: { name, properties }, ...more };
}

export type Options = Partial<Omit<PlanInput, "template">>;

export function tryPlan(template: JsonValue, options: Options = {}): Plan | PlanFailure {
  const work = planTemplate({
    template,
    deployment: { name: "main" },
    scopes: { radius: group, deployments: group },
    now: new Date("2024-05-06T07:08:09Z"),
    newGuid: () => "0d5b1e7e-8a1c-4c41-9a3e-0a3f6e0a4b11",
    ...options,
  });
  return atOnce(sliced(work));
}

export function plan(template: JsonValue, options: Options = {}): Plan {
  const result = tryPlan(template, options);
  assert.ok(result.kind === "plan", result.kind === "failed" ? shown(result.errors) : "");
  return result;
}

/** What planning says is wrong, as `Reason path`. */
export function problems(template: JsonValue, options: Options = {}): string[] {
  const result = tryPlan(template, options);
  return result.kind === "plan" ? [] : result.errors.map(({ reason, path }) => `${reason} ${path}`);
}

/** With an Azure resource group to deploy to. */
export const inAzure: Options = { scopes: { radius: group, deployments: group, az: azureGroup } };

export const withParameters = (values: Record<string, JsonValue>): Options => ({
  parameters: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
});

/** Bodies by node, and answers by the kind of call: `read` or the name of the action. */
export function results(nodes: Record<string, JsonValue> = {}, calls: Record<string, JsonValue> = {}): PlanResults {
  return {
    node: (key) => (nodes[key] === undefined ? undefined : { body: nodes[key] }),
    call: (key) => (calls[key] === undefined ? undefined : { body: calls[key] }),
  };
}

export function evaluateNodeAtOnce(...args: Parameters<typeof evaluateNode>): Evaluation<NodeRequest> {
  return atOnce(sliced(evaluateNode(...args)));
}

export function evaluateOutputsAtOnce(...args: Parameters<typeof evaluateOutputs>): Evaluation<Outputs> {
  return atOnce(sliced(evaluateOutputs(...args)));
}

function ready<T>(evaluation: Evaluation<T>): T {
  assert.ok(evaluation.kind === "ready", evaluation.kind === "failed" ? shown(evaluation.errors) : evaluation.kind);
  return evaluation.value;
}

export function request<K extends NodeRequest["kind"]>(
  kind: K,
  of: Plan,
  key: string,
  known: PlanResults = results(),
): Extract<NodeRequest, { kind: K }> {
  const value = ready(evaluateNodeAtOnce(of, key, known));
  assert.equal(value.kind, kind);
  return value as Extract<NodeRequest, { kind: K }>;
}

export function outputs(of: Plan, known: PlanResults = results()): Outputs {
  return ready(evaluateOutputsAtOnce(of, known));
}

/** The value of an expression in an output of a template with these sections. */
export function valueOf(expression: JsonValue, parts: JsonObject = {}, options: Options = {}): JsonValue | undefined {
  const made = plan(symbolic({ ...parts, outputs: { it: { value: expression } } }), options);
  return outputs(made)["it"]?.value;
}

export function dependsOn(of: Plan, key: string): readonly string[] {
  return of.nodes.get(key)?.dependsOn ?? assert.fail(`no node ${key}`);
}

function shown(errors: readonly PlanError[]): string {
  return errors.map(({ reason, path, message }) => `${reason} ${path}: ${message}`).join("\n");
}
