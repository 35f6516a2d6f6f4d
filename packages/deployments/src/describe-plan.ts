import { inSlices, isJsonObject, type JsonObject, type JsonValue, mainThread, Pace, Redactor } from "@rad/core";
import { type Plan, type PlanNode, sliced, templateHash } from "@rad/templates";
import type { DeploymentInput } from "./deployment-input.ts";
import { canRedact } from "./can-redact.ts";
import { jsonLength } from "./json-length.ts";

type ResourceLikeNode = Exclude<PlanNode, { readonly kind: "barrier" }>;

/** All edges of a large template are more than anybody reads. */
const maxDependencies = 5_000;

/** What the API tells of a plan: `parameters`, `providers`, `dependencies` and the hash of the template. */
export async function describePlan(plan: Plan, input: DeploymentInput): Promise<JsonObject> {
  return {
    parameters: await parameterList(plan),
    ...(isJsonObject(input.template) ? { templateHash: await inSlices(sliced(templateHash(input.template))) } : {}),
    providers: await providerList(plan),
    dependencies: await dependencyList(plan),
  };
}

async function parameterList({ parameters, secrets }: Plan): Promise<JsonObject> {
  // The default of an ordinary parameter may be made from a secure one.
  const redactor = new Redactor();
  redactor.add(secrets);
  const shown: Record<string, JsonValue> = {};
  for (const [name, { type, secure, value }] of Object.entries(parameters)) {
    const turn = mainThread.giveWay();
    if (turn !== undefined) {
      await turn;
    }
    const isShown = !secure && value !== undefined && canRedact(jsonLength(value), secrets.length);
    shown[name] = isShown ? { type, value: redactor.redactJson(value) } : { type };
  }
  return shown;
}

async function providerList(plan: Plan): Promise<JsonValue> {
  const types = new Map<string, { readonly namespace: string; readonly types: Map<string, string> }>();
  const pace = new Pace();
  for (const node of plan.nodes.values()) {
    const turn = pace.spend();
    if (turn !== undefined) {
      await turn;
    }
    if (node.kind !== "barrier") {
      const [namespace = "", ...rest] = node.type.split("/");
      const type = rest.join("/");
      const provider = types.get(namespace.toLowerCase()) ?? { namespace, types: new Map<string, string>() };
      provider.types.set(type.toLowerCase(), provider.types.get(type.toLowerCase()) ?? type);
      types.set(namespace.toLowerCase(), provider);
    }
  }
  return [...types.values()].map((provider) => ({
    namespace: provider.namespace,
    resourceTypes: [...provider.types.values()].map((resourceType) => ({ resourceType, locations: ["global"] })),
  }));
}

async function dependencyList(plan: Plan): Promise<JsonValue> {
  const result: JsonObject[] = [];
  const pace = new Pace();
  let count = 0;
  for (const node of plan.nodes.values()) {
    const turn = pace.spend(1 + node.dependsOn.length);
    if (turn !== undefined) {
      await turn;
    }
    const self = reference(node);
    if (self === undefined || count >= maxDependencies) {
      continue;
    }
    const dependsOn: JsonObject[] = [];
    for (const dependency of dependenciesOf(plan, node)) {
      const other = reference(dependency);
      if (other !== undefined && count < maxDependencies) {
        dependsOn.push(other);
        count += 1;
      }
    }
    if (dependsOn.length > 0) {
      result.push({ dependsOn, ...self });
    }
  }
  return result;
}

/** With the members of a loop in its place. */
function* dependenciesOf(plan: Plan, node: PlanNode): Generator<PlanNode> {
  for (const key of node.dependsOn) {
    const dependency = plan.nodes.get(key);
    if (dependency?.kind === "barrier") {
      for (const member of dependency.dependsOn) {
        const inner = plan.nodes.get(member);
        if (inner !== undefined) {
          yield inner;
        }
      }
    } else if (dependency !== undefined) {
      yield dependency;
    }
  }
}

function reference(node: PlanNode): JsonObject | undefined {
  if (node.kind === "barrier" || node.id === undefined || node.skipped !== undefined) {
    return undefined;
  }
  return { id: node.id, resourceType: node.type, resourceName: nameOf(node) };
}

function nameOf({ name, key }: ResourceLikeNode): string {
  return name ?? key;
}
