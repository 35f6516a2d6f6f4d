import { randomUUID } from "node:crypto";
import type { ParameterSet } from "@rad/client/deploying";
import { declaredParameters } from "@rad/client/deploying";
import { isJsonObject, type JsonObject, type JsonValue, objectMember } from "@rad/core";
import {
  Budget,
  defaultLimits,
  type DeployRequest,
  evaluateNode,
  evaluateOutputs,
  isExpressionText,
  type NodeResult,
  type ParameterInput,
  type Plan,
  type PlanFailure,
  type PlanNode,
  type PlanResults,
  type PlanScopes,
  planTemplate,
  type PutRequest,
  withoutPause,
} from "@rad/templates";
import { CliError } from "../cli-error.ts";
import { knownPart } from "./known-part.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** A resource as a template describes it. */
export interface ModeledResource {
  readonly id: string;
  readonly type: string;
  /** Without secrets. What depends on a parameter without a value is there as an expression. */
  readonly properties: JsonObject;
  /** Ids of the resources that the template has deployed before it. */
  readonly dependsOn: readonly string[];
}

type TemplateNode = Exclude<PlanNode, { readonly kind: "barrier" }>;

/** Modules within modules. Bicep files cannot be nested in circles, but templates that are read from JSON can be deep. */
const maxDepth = 20;

/** Everything that a template with its modules would deploy into `group`, as far as that shows without deploying it. */
export function modeledResources(template: JsonObject, given: ParameterSet, group: string): ModeledResource[] {
  const scopes: PlanScopes = {
    radius: group,
    deployments: group,
    az: "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/none",
    aws: "/planes/aws/aws/accounts/000000000000/regions/none",
  };
  const budget = new Budget(defaultLimits.steps);
  const { resources } = modelTemplate(template, given as Readonly<Record<string, ParameterInput>>, {
    scopes,
    budget,
    depth: 0,
  });
  return resources;
}

interface Surroundings {
  readonly scopes: PlanScopes;
  readonly budget: Budget;
  readonly depth: number;
}

interface ModeledTemplate {
  readonly resources: ModeledResource[];
  /** By name, as far as they are known. */
  readonly outputs: JsonObject;
}

function modelTemplate(
  template: JsonObject,
  given: Readonly<Record<string, ParameterInput>>,
  surroundings: Surroundings,
): ModeledTemplate {
  const { scopes, budget, depth } = surroundings;
  const plan = ready(
    withoutPause(
      planTemplate({
        template: withoutConfigurations(template),
        parameters: withUnknown(template, given),
        deployment: { name: "graph" },
        scopes,
        now: new Date(0),
        newGuid: randomUUID,
        budget,
      }),
    ),
  );
  const results = new Map<string, NodeResult>();
  const answers: PlanResults = { node: (key) => results.get(key), call: () => undefined };
  const resources: ModeledResource[] = [];
  for (const node of inOrder(plan)) {
    const evaluation = withoutPause(evaluateNode(plan, node.key, answers, { preview: true }));
    if (evaluation.kind === "failed") {
      throw explain(evaluation);
    }
    if (evaluation.kind === "needs") {
      continue;
    }
    const { value: request, unknown } = evaluation;
    switch (request.kind) {
      case "put":
        results.set(node.key, resultOf(node, request.body));
        resources.push(...modeled(plan, node, request));
        break;
      case "read":
        results.set(node.key, resultOf(node, {}));
        break;
      case "deploy": {
        const nested = depth < maxDepth ? modelModule(node, request, unknown, surroundings) : undefined;
        results.set(node.key, resultOf(node, { properties: { outputs: nested?.outputs ?? {} } }));
        resources.push(...(nested?.resources ?? []));
        break;
      }
      case "none":
        break;
      default:
        request satisfies never;
    }
  }
  return { resources, outputs: outputsOf(plan, answers) };
}

function ready(plan: Plan | PlanFailure): Plan {
  if (plan.kind === "failed") {
    throw explain(plan);
  }
  return plan;
}

/** Secrets are as unknown as what has no value: so no value that is made of one comes to light. */
function withUnknown(
  template: JsonObject,
  given: Readonly<Record<string, ParameterInput>>,
): Readonly<Record<string, ParameterInput>> {
  const inputs = new Map(Object.entries(given).map(([name, input]) => [name.toLowerCase(), input]));
  const parameters: Record<string, ParameterInput> = {};
  for (const [key, { name, secure, required }] of declaredParameters(template)) {
    const input = inputs.get(key);
    const isSecret = secure || (input !== undefined && "secrets" in input && (input.secrets ?? []).length > 0);
    const isReference = input !== undefined && "reference" in input;
    if (isSecret || isReference || (required && input === undefined)) {
      parameters[name] = { unknown: true };
    } else if (input !== undefined) {
      parameters[name] = input;
    }
  }
  return parameters;
}

/** How an extension is reached says nothing about what is deployed through it, and is often a secret. */
function withoutConfigurations(template: JsonObject): JsonObject {
  const without = (member: string): JsonObject => {
    const extensions = Object.entries(objectMember(template, member)).map(([alias, extension]) => {
      const { config, ...rest } = isJsonObject(extension) ? extension : {};
      const literal = Object.entries(isJsonObject(config) ? config : {}).filter(([, value]) => !isExpression(value));
      return [alias, { ...rest, config: Object.fromEntries(literal) }] as const;
    });
    return template[member] === undefined ? {} : { [member]: Object.fromEntries(extensions) };
  };
  return { ...template, ...without("imports"), ...without("extensions") };
}

function isExpression(value: JsonValue): boolean {
  return typeof value === "string" && isExpressionText(value);
}

/** Every node after those that it depends on. */
function inOrder(plan: Plan): TemplateNode[] {
  const ordered: TemplateNode[] = [];
  const seen = new Set<string>();
  const visit = (key: string): void => {
    const node = plan.nodes.get(key);
    if (node === undefined || seen.has(key)) {
      return;
    }
    seen.add(key);
    node.dependsOn.forEach(visit);
    if (node.kind !== "barrier") {
      ordered.push(node);
    }
  };
  [...plan.nodes.keys()].forEach(visit);
  return ordered;
}

function resultOf({ id, name, type }: TemplateNode, body: JsonObject): NodeResult {
  const open = new Set<JsonValue>();
  const known = knownPart({ id: id ?? "", name: name ?? "", type, ...body }, open);
  return { body: known, open };
}

function modeled(plan: Plan, node: TemplateNode, { id, body, secrets }: PutRequest): ModeledResource[] {
  const { properties } = withoutSecrets(body, secrets);
  return id === undefined
    ? []
    : [
        {
          id,
          type: node.type,
          properties: isJsonObject(properties) ? properties : {},
          dependsOn: [...new Set(dependencies(plan, node.dependsOn))],
        },
      ];
}

/** Barriers stand for whole loops; modules are not shown, and so nothing leads to them. */
function dependencies(plan: Plan, keys: readonly string[]): string[] {
  return keys.flatMap((key) => {
    const node = plan.nodes.get(key);
    if (node?.kind === "barrier") {
      return dependencies(plan, node.dependsOn);
    }
    const isShown = node !== undefined && node.kind !== "deployment" && node.skipped === undefined;
    return isShown && node.id !== undefined ? [node.id] : [];
  });
}

function modelModule(
  node: TemplateNode,
  request: DeployRequest,
  unknown: readonly string[],
  surroundings: Surroundings,
): ModeledTemplate | undefined {
  const { template, parameters, scopes } = request;
  if (!isJsonObject(template)) {
    return undefined; // behind a link, which only a deployment follows
  }
  const given = Object.entries(parameters).map(([name, input]): [string, ParameterInput] => {
    const path = `${node.path}.properties.parameters.${name}`;
    const isUnknown = unknown.some((one) => one === path || one.startsWith(`${path}.`) || one.startsWith(`${path}[`));
    return [name, isUnknown ? { unknown: true } : input];
  });
  return modelTemplate(template, Object.fromEntries(given), {
    scopes: { ...surroundings.scopes, ...scopes },
    budget: surroundings.budget,
    depth: surroundings.depth + 1,
  });
}

function outputsOf(plan: Plan, results: PlanResults): JsonObject {
  const evaluation = withoutPause(evaluateOutputs(plan, results, { preview: true }));
  if (evaluation.kind !== "ready") {
    return {};
  }
  const known = Object.entries(evaluation.value).filter(
    ([name, { secure }]) => !secure && !evaluation.unknown.some((path) => path.startsWith(`$.outputs.${name}`)),
  );
  return Object.fromEntries(known.map(([name, { type, value = null }]) => [name, { type, value }]));
}

function explain({ errors }: PlanFailure): CliError {
  const [first] = errors;
  return first?.reason === "NotKnownYet"
    ? new CliError(
        "ParametersRequired",
        `The graph depends on a parameter without a value (${first.path}). Give it one with \`-p <name>=<value>\`.`,
      )
    : new CliError(first?.code ?? "InvalidTemplate", first?.message ?? "The template is not valid.");
}
