import { atOnce, isJsonObject, objectMember, type JsonObject } from "@rad/core";
import { Budget } from "../budget.ts";
import { parseInstant } from "../dates/instant.ts";
import { evaluateExpression, type EvaluationScope } from "../expressions/evaluate.ts";
import { parseTemplateString } from "../expressions/expression-parser.ts";
import { define, type FunctionCall, type FunctionDefinition } from "../functions/function-call.ts";
import { functionTable } from "../functions/pure-functions.ts";
import type { ResourceIdScope } from "../functions/resource-ids.ts";
import { sliced } from "../pausing.ts";
import { TemplateError } from "../template-error.ts";
import { fromJson } from "../values/json-conversion.ts";
import { getMember } from "../values/members.ts";
import { isObject, type ObjectValue, type Value } from "../values/value.ts";
import { contextFunctions } from "./context-functions.ts";
import type { CompiledEnvironment } from "./evaluate-compiled.ts";
import { rewriteExpression } from "./expression-rewriter.ts";
import { isFreshFunction } from "./function-kinds.ts";
import { defaultLimits } from "./limits.ts";
import { LoopStack, type Round } from "./loop-stack.ts";
import { checkLength } from "./measured-json.ts";
import type { PlanErrorReason } from "./plan.ts";
import { PlanProblem, ProblemLog } from "./plan-problem.ts";
import { compileProgram, type Program } from "./program.ts";
import { deploymentsType } from "./resource-names.ts";
import { readTemplate } from "./template-source.ts";
import { TypeDefinitions } from "./type-node.ts";
import { userFunctions } from "./user-functions.ts";

/** One expression with what it can see: plain values, functions as a template declares them, and surroundings. */
export interface EvaluationCase {
  readonly id: string;
  readonly expression: string;
  readonly parameters?: ObjectValue;
  readonly variables?: ObjectValue;
  readonly functions?: Value;
  readonly context?: JsonObject;
}

export type EvaluationAnswer =
  | { readonly id: string; readonly value: Value }
  | { readonly id: string; readonly error: { readonly code: PlanErrorReason; readonly message: string } };

/** What a host lends to `utcNow` and `newGuid` where a case does not say. */
export interface EvaluationHost {
  readonly now: Date;
  readonly newGuid: () => string;
}

/** Evaluates each expression by itself; an error in one is the answer to that one. */
export function evaluateCases(cases: readonly EvaluationCase[], host: EvaluationHost): EvaluationAnswer[] {
  return cases.map((question) => evaluateCase(question, host));
}

function evaluateCase(question: EvaluationCase, host: EvaluationHost): EvaluationAnswer {
  const { id } = question;
  try {
    const value = evaluateOne(question, host);
    atOnce(sliced(checkLength(value, defaultLimits.templateLength, new Budget())));
    return { id, value };
  } catch (error) {
    return { id, error: describe(error) };
  }
}

function describe(error: unknown): { readonly code: PlanErrorReason; readonly message: string } {
  if (error instanceof TemplateError) {
    return { code: error.code, message: error.message };
  }
  if (error instanceof PlanProblem) {
    return { code: error.reason, message: error.message };
  }
  throw error;
}

const noValues: ObjectValue = new Map();
const ownGroup = "/planes/radius/local/resourceGroups/default";

function evaluateOne(question: EvaluationCase, host: EvaluationHost): Value {
  const parsed = parseTemplateString(question.expression);
  if (parsed.kind === "literal") {
    return parsed.value;
  }
  const context = question.context ?? {};
  const { parameters = noValues, variables = noValues } = question;
  const loops = new LoopStack();
  const budget = new Budget();
  const program = declaredFunctions(question);
  const environment = (): CompiledEnvironment => ({ scope, budget, loops, maxCopies: defaultLimits.copies });
  const scope: EvaluationScope = {
    parameter: (name) => getMember(parameters, name),
    variable: (name) => getMember(variables, name),
    functions: functionTable([
      ...surroundingFunctions(context, host),
      loops.function(),
      ...userFunctions(program, new TypeDefinitions(program.source.definitions), environment),
    ]),
  };
  return loops.all(roundsOf(context), () =>
    evaluateExpression(rewriteExpression(parsed.expression, undefined), scope, budget),
  );
}

/** A template that has nothing but functions, and the names of the variables that they use. */
function declaredFunctions({ functions = [], variables = noValues }: EvaluationCase): Program {
  const log = new ProblemLog();
  const template = new Map<string, Value>([
    ["$schema", "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#"],
    ["contentVersion", "1.0.0.0"],
    ["resources", []],
    ["functions", functions],
    ["variables", new Map([...variables.keys()].map((name) => [name, null]))],
  ]);
  const budget = new Budget();
  const source = atOnce(sliced(readTemplate(template, { path: "$", log, limits: defaultLimits, budget })));
  const program =
    source === undefined ? undefined : atOnce(sliced(compileProgram(source, { signatures: new Map(), log, budget })));
  const [error] = log.errors;
  if (program === undefined || error !== undefined) {
    throw new PlanProblem(error?.reason ?? "InvalidShape", error?.message ?? "The functions cannot be read.");
  }
  return program;
}

function surroundingFunctions(context: JsonObject, host: EvaluationHost): FunctionDefinition[] {
  const azure = azureScope(context);
  const location = text(context, "location");
  const functions = contextFunctions({
    deployment: {
      name: text(context, "deploymentName") ?? "deployment",
      ...(location === undefined ? {} : { location }),
    },
    deploymentProperties: () => new Map<string, Value>(),
    scopes: { radius: ownGroup, deployments: ownGroup },
    azure,
    surroundings: {
      ...(location === undefined ? {} : { resourceGroup: { location } }),
      providers: Array.isArray(context["providers"]) ? context["providers"].filter(isJsonObject) : [],
      ...(isJsonObject(context["zones"]) ? { zones: context["zones"] } : {}),
      ...(isJsonObject(context["zoneMappings"]) ? { zoneMappings: context["zoneMappings"] } : {}),
    },
    now: givenTime(context) ?? host.now,
    newGuid: host.newGuid,
  });
  const inDefault = text(context, "placement") === "parameter default value";
  return [...functions.map((definition) => (inDefault ? definition : withoutFresh(definition))), referenceTo(context)];
}

/** `newGuid` and `utcNow` are for the default values of parameters. */
function withoutFresh(definition: FunctionDefinition): FunctionDefinition {
  if (!isFreshFunction(definition.name.toLowerCase())) {
    return definition;
  }
  const run = (): never => {
    const message = `The function "${definition.name}" can only be used in the default value of a parameter.`;
    throw new PlanProblem("FunctionNotAllowed", message);
  };
  return { ...definition, run };
}

function azureScope(context: JsonObject): ResourceIdScope | undefined {
  const subscriptionId = text(context, "subscriptionId");
  const resourceGroup = text(context, "resourceGroup");
  const managementGroup = text(context, "managementGroup");
  const scope = text(context, "scope");
  if (scope === undefined && subscriptionId === undefined && managementGroup === undefined) {
    return undefined;
  }
  return {
    kind: scope === "subscription" || scope === "managementGroup" || scope === "tenant" ? scope : "resourceGroup",
    ...(subscriptionId === undefined ? {} : { subscriptionId }),
    ...(resourceGroup === undefined ? {} : { resourceGroup }),
    ...(managementGroup === undefined ? {} : { managementGroup }),
  };
}

/** `references` has resources by `Namespace/type/name`, `deployments` has deployments by name. */
function referenceTo(context: JsonObject): FunctionDefinition {
  const known = new Map<string, Value>();
  for (const [name, body] of Object.entries(objectMember(context, "references"))) {
    known.set(name.toLowerCase(), fromJson(body));
  }
  for (const [name, properties] of Object.entries(objectMember(context, "deployments"))) {
    known.set(`${deploymentsType}/${name}`.toLowerCase(), new Map([["properties", fromJson(properties)]]));
  }
  return define("reference", [1, 3], (call) => {
    const id = call.string(0);
    const provider = "/providers/";
    const body =
      known.get(id.slice(id.lastIndexOf(provider) + provider.length).toLowerCase()) ?? known.get(id.toLowerCase());
    if (body === undefined) {
      throw new PlanProblem("UnknownDependency", `${call.name}: nothing is known here of "${id}".`);
    }
    return wantsAll(call) || !isObject(body) ? body : (getMember(body, "properties") ?? null);
  });
}

function wantsAll(call: FunctionCall): boolean {
  return call.count > 2 && call.string(2).toLowerCase() === "full";
}

function roundsOf(context: JsonObject): readonly Round[] {
  const { name, index } = objectMember(context, "copy");
  return typeof index === "number"
    ? [{ loop: typeof name === "string" ? name.toLowerCase() : "", index, unnamed: true }]
    : [];
}

function givenTime(context: JsonObject): Date | undefined {
  const instant = parseInstant(text(context, "now") ?? "");
  return instant === undefined ? undefined : new Date(Number(instant / 10_000n));
}

function text(context: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(context, name) ? context[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
