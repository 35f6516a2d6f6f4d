import { isJsonObject, type JsonObject, type JsonValue, Redactor } from "@rad/core";
import { type Plan, type PlanNode, templateHash } from "@rad/templates";
import type { DeploymentInput } from "./deployment-input.ts";

type ResourceLikeNode = Exclude<PlanNode, { readonly kind: "barrier" }>;

/** All edges of a large template are more than anybody reads. */
const maxDependencies = 5_000;

/** What the API tells of a plan: `parameters`, `providers`, `dependencies` and the hash of the template. */
export function describePlan(plan: Plan, input: DeploymentInput): JsonObject {
  return {
    parameters: parameterList(plan),
    ...(isJsonObject(input.template) ? { templateHash: templateHash(input.template) } : {}),
    providers: providerList(plan),
    dependencies: dependencyList(plan),
  };
}

function parameterList({ parameters, secrets }: Plan): JsonObject {
  // The default of an ordinary parameter may be made from a secure one.
  const redactor = new Redactor();
  redactor.add(secrets);
  const entries = Object.entries(parameters).map(([name, { type, secure, value }]): [string, JsonValue] => [
    name,
    secure || value === undefined ? { type } : { type, value: redactor.redactJson(value) },
  ]);
  return Object.fromEntries(entries);
}

function providerList(plan: Plan): JsonValue {
  const types = new Map<string, { readonly namespace: string; readonly types: Map<string, string> }>();
  for (const node of plan.nodes.values()) {
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

function dependencyList(plan: Plan): JsonValue {
  const result: JsonObject[] = [];
  let count = 0;
  for (const node of plan.nodes.values()) {
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
