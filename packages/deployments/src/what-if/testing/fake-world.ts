import { ApiError, atOnce, objectMember, systemClock, type JsonObject, type JsonValue } from "@rad/core";
import type { Store } from "@rad/store";
import { evaluateNode, evaluateOutputs, type Evaluation, type Pausing, type PlanResults, sliced } from "@rad/templates";
import { AcceptedPlans } from "../../accept/accepted-plans.ts";
import type { DeploymentHost } from "../../deployment-host.ts";
import type { DeploymentInput } from "../../deployment-input.ts";
import type { Requester } from "@rad/resources";
import type { ActionOrder, DeploymentTarget, PreviewOrder, ResourceOrder } from "../../deployment-target.ts";
import { nestedInput } from "../../nested-input.ts";
import { newBudget, outermost, preparePlan } from "../../prepare-plan.ts";

/**
 * Resources of one type that has a bit of everything: `size` is 1 unless given, `count` must be a number, `password` is
 * sensitive, `status` is the server's, and `listSecrets` answers with the password.
 */
export class FakeTarget implements DeploymentTarget {
  readonly resources = new Map<string, JsonObject>();
  readonly passwords = new Map<string, JsonValue>();
  readonly actions: string[] = [];

  async checkType(): Promise<void> {}

  async preview(order: PreviewOrder): ReturnType<DeploymentTarget["preview"]> {
    const { stored, password } = accept(order.body);
    const key = (order.id ?? "").toLowerCase();
    const current = this.resources.get(key);
    const before = this.passwords.get(key);
    const pointer = "/properties/password";
    return {
      before: current === undefined ? undefined : withoutServerMembers(current),
      after: stored,
      changedSecrets:
        before === password
          ? []
          : [{ pointer, change: before === undefined ? "create" : password === undefined ? "delete" : "modify" }],
      warnings: objectMember(stored, "properties")["warn"] === undefined ? [] : ["Heed this."],
    };
  }

  async put({ id = "", body }: Pick<PreviewOrder, "body"> & { readonly id: string | undefined }): Promise<never> {
    const { stored, password } = accept(body);
    const key = id.toLowerCase();
    const sent = objectMember(stored, "properties");
    const properties = { ...sent, status: { address: `${key}:${JSON.stringify(sent["size"])}` } };
    this.resources.set(key, {
      ...stored,
      id,
      name: id.split("/").at(-1) ?? "",
      type: "Test.Things/things",
      properties,
    });
    if (password === undefined) {
      this.passwords.delete(key);
    } else {
      this.passwords.set(key, password);
    }
    return undefined as never;
  }

  async read({ id = "" }: Pick<ResourceOrder, "id">): Promise<JsonObject | undefined> {
    return this.resources.get(id.toLowerCase());
  }

  async act({ id = "", action }: Pick<ActionOrder, "id" | "action">): Promise<JsonValue> {
    this.actions.push(action);
    if (!this.resources.has(id.toLowerCase())) {
      throw new ApiError("NotFound", `"${id}" is not there.`);
    }
    return { password: this.passwords.get(id.toLowerCase()) ?? null };
  }

  finish(): Promise<never> {
    throw new Error("nothing is ever left running");
  }

  finishDelete(): Promise<never> {
    throw new Error("nothing is ever left running");
  }

  delete(): Promise<never> {
    throw new Error("previews delete nothing");
  }
}

function accept(body: JsonObject): { readonly stored: JsonObject; readonly password: JsonValue | undefined } {
  const { status: _, password, ...properties } = objectMember(body, "properties");
  if (properties["count"] !== undefined && typeof properties["count"] !== "number") {
    throw new ApiError("BadRequest", "count must be a number.", { target: "properties.count" });
  }
  const shown = password === undefined ? properties : { ...properties, password: null };
  return { stored: { location: "global", ...body, properties: { size: 1, ...shown } }, password };
}

function withoutServerMembers({ id: _id, name: _name, type: _type, ...body }: JsonObject): JsonObject {
  const { status: _, ...properties } = objectMember(body, "properties");
  return { ...body, properties };
}

export const group = "/planes/radius/local/resourcegroups/team";

export const requester: Requester = {
  caller: { kind: "token", subject: "somebody", groups: [] },
  correlationId: "c1",
  traceparent: undefined,
  hide: () => undefined,
};

export function fakeHost(target: FakeTarget, more: Partial<DeploymentHost> = {}): DeploymentHost {
  return {
    // Deployments of the past, of which there are none.
    store: { get: () => Promise.resolve(undefined) } as unknown as Store,
    clock: systemClock,
    targets: { radius: target },
    limits: {},
    acceptedPlans: new AcceptedPlans(),
    surroundings: {},
    concurrency: 1,
    historyLength: 1,
    linkHosts: [],
    authorize: () => undefined,
    ...more,
  };
}

export function inputOf(template: JsonValue, parameters: JsonObject = {}): DeploymentInput {
  return {
    name: "main",
    location: undefined,
    tags: undefined,
    template,
    parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, { value }])),
    scopes: { radius: group, deployments: group },
    providerConfig: undefined,
    extensionConfigs: undefined,
    externalInputs: undefined,
    debugSetting: undefined,
  };
}

/** A template with symbolic names that can use the Radius extension. */
export function symbolic(resources: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    languageVersion: "2.0",
    contentVersion: "1.0.0.0",
    imports: { radius: { provider: "Radius", version: "latest" } },
    resources,
    ...more,
  };
}

/** A resource as the compiler writes it. */
export function thing(name: string, properties: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return { import: "radius", type: "Test.Things/things@2025-01-01", properties: { name, properties }, ...more };
}

export function module(
  name: string,
  template: JsonObject,
  parameters: JsonObject = {},
  more: JsonObject = {},
): JsonObject {
  return {
    type: "Microsoft.Resources/deployments",
    apiVersion: "2025-04-01",
    name,
    properties: { mode: "Incremental", expressionEvaluationOptions: { scope: "inner" }, template, parameters },
    ...more,
  };
}

export const idOf = (name: string): string => `${group}/providers/Test.Things/things/${name}`;

/** Deploys one node after the other, the plain way; gives the ids that were created or changed. */
export async function deploy(
  target: FakeTarget,
  input: DeploymentInput,
): Promise<{ changed: string[]; body: JsonObject }> {
  const host = fakeHost(target);
  const { plan } = await preparePlan(host, input, { budget: newBudget(host) });
  const bodies = new Map<string, JsonValue>();
  const calls = new Map<string, JsonValue>();
  const secure = new Map<string, JsonObject>();
  const changed: string[] = [];
  const results: PlanResults = {
    node: (key) => (bodies.has(key) ? { body: bodies.get(key) ?? null } : undefined),
    call: (key) => (calls.has(key) ? { body: calls.get(key) ?? null } : undefined),
  };
  const settle = async <T>(evaluate: () => Pausing<Evaluation<T>>): Promise<T> => {
    for (;;) {
      const evaluation = atOnce(sliced(evaluate()));
      if (evaluation.kind === "ready") {
        return evaluation.value;
      }
      if (evaluation.kind === "failed") {
        throw new Error(evaluation.errors.map(({ message }) => message).join("\n"));
      }
      for (const call of evaluation.calls) {
        const answer =
          call.kind === "read" ? await target.read(call) : (secure.get(call.id) ?? (await target.act(call)));
        calls.set(call.key, answer ?? null);
      }
    }
  };
  const waiting = new Set(plan.nodes.values());
  while (waiting.size > 0) {
    for (const node of waiting) {
      if (node.dependsOn.some((key) => [...waiting].some((other) => other.key === key))) {
        continue;
      }
      waiting.delete(node);
      const request = await settle(() => evaluateNode(plan, node.key, results));
      if (request.kind === "put" && request.id !== undefined) {
        const { id, body } = request;
        const before = JSON.stringify([target.resources.get(id.toLowerCase()), target.passwords.get(id.toLowerCase())]);
        await target.put({ id, body });
        const after = JSON.stringify([target.resources.get(id.toLowerCase()), target.passwords.get(id.toLowerCase())]);
        if (before !== after) {
          changed.push(id);
        }
        bodies.set(node.key, (await target.read({ id })) ?? null);
      } else if (request.kind === "read") {
        bodies.set(node.key, (await target.read({ id: request.id ?? "" })) ?? null);
      } else if (request.kind === "deploy") {
        const nested = await deploy(target, nestedInput(input, request, outermost));
        changed.push(...nested.changed);
        bodies.set(node.key, nested.body);
        secure.set(request.id, objectMember(nested.body, "secure"));
      }
    }
  }
  const outputs = await settle(() => evaluateOutputs(plan, results));
  const shown: Record<string, JsonValue> = {};
  const values: Record<string, JsonValue> = {};
  for (const [name, { type, secure: isSecure, value }] of Object.entries(outputs)) {
    shown[name] = isSecure || value === undefined ? { type } : { type, value };
    values[name] = value ?? null;
  }
  return { changed, body: { name: input.name, properties: { outputs: shown }, secure: values } };
}
