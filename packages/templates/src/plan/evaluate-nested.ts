import { type JsonObject, type JsonValue, redactedText } from "@rad/core";
import type { Budget } from "../budget.ts";
import type { Pausing } from "../pausing.ts";
import { getMember } from "../values/members.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../values/value.ts";
import { parameterForms, wrongParameterForm } from "./compile-nested.ts";
import type { Compiled } from "./compiled.ts";
import type { EvaluationSession } from "./evaluation-session.ts";
import { OuterValues } from "./outer-values.ts";
import { toMeasuredJson } from "./measured-json.ts";
import { placeOf } from "./outer-expressions.ts";
import { defineMember } from "./define-member.ts";

import type { DeployRequest, ParameterInput } from "./plan.ts";
import { PlanProblem, quietly } from "./plan-problem.ts";
import type { PreparedParts } from "./prepared-plan.ts";
import type { NestedEntry } from "./resource-entry.ts";
import type { ResourceInstance } from "./resource-instance.ts";
import type { SecretFinder } from "./secret-finder.ts";
import { replaceAtPointers } from "./secret-pointers.ts";
import type { TemplateSource } from "./template-source.ts";

export interface NestedEvaluation {
  readonly session: EvaluationSession;
  readonly parts: PreparedParts;
  readonly secrets: SecretFinder;
}

type ToJson = (value: Value, at: string) => Pausing<JsonValue>;

/** The body of a nested deployment. Its template stays as it is, unless its expressions are this deployment's. */
export function* evaluateNested(
  instance: ResourceInstance,
  nested: NestedEntry,
  evaluation: NestedEvaluation,
): Pausing<DeployRequest> {
  const { session, parts, secrets } = evaluation;
  const { entry, id, name, scopes } = instance;
  if (id === undefined || name === undefined) {
    throw new PlanProblem("InvalidName", "A nested deployment needs a name.");
  }
  const path = `${entry.path}.properties`;
  const { budget } = session.environment;
  const json: ToJson = (value, at) => toMeasuredJson(value, parts.limits.templateLength, budget, at);
  const object = function* (compiled: Compiled | undefined, member: string): Pausing<ObjectValue | undefined> {
    const before = session.unknownCount;
    const value = yield* session.evaluateOptional(compiled);
    if (typeof value === "string" && session.unknownCount > before) {
      return undefined; // in a preview, all of it is not known yet
    }
    if (value !== undefined && value !== null && !isObject(value)) {
      throw new PlanProblem("InvalidShape", `"${member}" must be an object.`, `${path}.${member}`);
    }
    return value ?? undefined;
  };
  const jsonObject = function* (value: Value | undefined, member: string): Pausing<JsonObject | undefined> {
    return value === undefined ? undefined : ((yield* json(value, `${path}.${member}`)) as JsonObject);
  };
  const evaluatedLocation = yield* session.evaluateOptional(nested.location);
  const location = yield* withoutSecrets(evaluatedLocation, nested.location, secrets);
  const tags = yield* withoutSecrets(yield* object(nested.tags, "tags"), nested.tags, secrets);
  const extensionConfigs = yield* object(nested.extensionConfigs, "extensionConfigs");
  const outer = nested.outer ? new OuterValues(parts.program.source) : undefined;
  const template =
    outer === undefined || nested.template === undefined
      ? nested.template
      : yield* outerTemplate(nested, nested.template, `${path}.template`, evaluation, outer);
  return {
    kind: "deploy",
    id,
    name,
    location: typeof location === "string" ? location : undefined,
    tags: yield* jsonObject(tags, "tags"),
    template: template === undefined ? undefined : yield* json(template, `${path}.template`),
    ...(nested.outer && nested.template !== undefined
      ? { writtenTemplate: yield* json(nested.template, `${path}.template`) }
      : {}),
    templateLink: yield* jsonObject(yield* object(nested.templateLink, "templateLink"), "templateLink"),
    parameters:
      outer === undefined
        ? yield* givenParameters(nested, `${path}.parameters`, evaluation, json)
        : { ...ownParameters(parts), ...(yield* outer.parameters((value) => json(value, `${path}.template`))) },
    parametersLink: yield* jsonObject(yield* object(nested.parametersLink, "parametersLink"), "parametersLink"),
    mode: nested.mode,
    extensionConfigs: yield* jsonObject(extensionConfigs, "extensionConfigs"),
    extensionSecrets:
      nested.extensionConfigs === undefined || extensionConfigs === undefined
        ? []
        : yield* secrets(nested.extensionConfigs, extensionConfigs),
    scopes,
  };
}

/** Where a nested deployment is and what it is tagged with is for everybody to see. */
function* withoutSecrets(
  value: Value | undefined,
  compiled: Compiled | undefined,
  secrets: SecretFinder,
): Pausing<Value | undefined> {
  return value === undefined || compiled === undefined
    ? value
    : replaceAtPointers(value, yield* secrets(compiled, value), () => redactedText);
}

/**
 * A nested template with outer scope, turned into one with inner scope: it takes over the declarations of the template
 * around it, and with `ownParameters` their values.
 */
export function adoptDeclarations(template: ObjectValue, { document }: TemplateSource): ObjectValue {
  const adopted = new Map<string, Value>();
  const sections = new Set(["parameters", "variables", "functions", "definitions"]);
  for (const [name, section] of template) {
    if (!sections.has(name.toLowerCase())) {
      adopted.set(name, section);
    }
  }
  for (const name of sections) {
    const section = getMember(document, name);
    if (section !== undefined) {
      adopted.set(name, section);
    }
  }
  return adopted;
}

function* outerTemplate(
  nested: NestedEntry,
  template: ObjectValue,
  path: string,
  { session, parts, secrets }: NestedEvaluation,
  outer: OuterValues,
): Pausing<Value> {
  const values = new Map<string, Value>();
  for (const [place, compiled] of nested.outerExpressions) {
    const before = session.unknownCount;
    const value = yield* session.evaluate(compiled);
    const isUnknown = session.unknownCount > before;
    values.set(place, isUnknown ? compiled.text : outer.written(value, yield* secrets(compiled, value)));
  }
  const written = yield* replaced(template, path, values, session.environment.budget);
  const adopted = new Map(adoptDeclarations(written as ObjectValue, parts.program.source));
  adopted.set("variables", adoptedVariables(parts, outer));
  const declared = getMember(adopted, "parameters") ?? null;
  const parameters = new Map([...(isObject(declared) ? declared : []), ...outer.declarations()]);
  if (parameters.size > 0) {
    adopted.set("parameters", parameters);
  }
  return adopted;
}

function* replaced(value: Value, path: string, values: ReadonlyMap<string, Value>, budget: Budget): Pausing<Value> {
  budget.spend(2);
  if (budget.isDue) {
    yield budget;
  }
  if (typeof value === "string") {
    const known = values.get(placeOf(value, path));
    return known === undefined ? value : known;
  }
  if (isArray(value)) {
    const items: Value[] = [];
    for (const [index, item] of value.entries()) {
      items.push(yield* replaced(item, `${path}[${index}]`, values, budget));
    }
    return items;
  }
  if (!isObject(value)) {
    return value;
  }
  const members = new Map<string, Value>();
  for (const [name, member] of value) {
    members.set(name, yield* replaced(member, `${path}.${name}`, values, budget));
  }
  return members;
}

/** Where a nested deployment answers otherwise than the one around it. */
const aboutSurroundings = /\b(?:deployment|resourceGroup|subscription|managementGroup)\s*\(/i;

/**
 * Variables go along as they are written: with the parameters of this deployment they have the same values there, and no
 * value that rests on a secret is written down. Only what asks about this deployment is given by value.
 */
function adoptedVariables({ program, scope, loops, taint }: PreparedParts, outer: OuterValues): ObjectValue {
  const written = getMember(program.source.document, "variables") ?? null;
  const variables = new Map<string, Value>();
  const adopt = (name: string, source: Value): boolean => {
    const value = isAboutSurroundings(source) ? quietly(() => loops.outside(() => scope.variable?.(name))) : undefined;
    if (value !== undefined) {
      variables.set(name, outer.written(value, taint.variablePointers(name, value)));
    }
    return value !== undefined;
  };
  for (const [name, source] of isObject(written) ? written : []) {
    if (name.toLowerCase() === "copy" && isArray(source)) {
      const left = source.filter((loop) => !adopt(loopName(loop), loop));
      variables.set(name, left);
    } else if (!adopt(name, source)) {
      variables.set(name, source);
    }
  }
  return variables;
}

function isAboutSurroundings(source: Value): boolean {
  if (typeof source === "string") {
    return aboutSurroundings.test(source);
  }
  if (isArray(source)) {
    return source.some(isAboutSurroundings);
  }
  return (
    isObject(source) && [...source].some(([name, value]) => isAboutSurroundings(name) || isAboutSurroundings(value))
  );
}

function loopName(loop: Value): string {
  const name = isObject(loop) ? getMember(loop, "name") : undefined;
  return typeof name === "string" ? name : "";
}

function ownParameters({ parameters, taint }: PreparedParts): Record<string, ParameterInput> {
  const result: Record<string, ParameterInput> = {};
  for (const [name, { value }] of Object.entries(parameters)) {
    const given =
      value === undefined ? { unknown: true as const } : withSecrets({ value }, taint.parameterPointers(name));
    defineMember<ParameterInput>(result, name, given);
  }
  return result;
}

function* givenParameters(
  nested: NestedEntry,
  path: string,
  { session, secrets }: NestedEvaluation,
  json: ToJson,
): Pausing<Record<string, ParameterInput>> {
  const result: Record<string, ParameterInput> = {};
  for (const [name, compiled] of nested.parameters) {
    const before = session.unknownCount;
    const entry = yield* session.evaluate(compiled);
    const isUnknown = session.unknownCount > before;
    const given = isUnknown
      ? { unknown: true as const }
      : withSecrets(
          yield* readParameter(entry, `${path}.${name}`, json),
          (yield* secrets(compiled, entry)).map(withinForm),
        );
    defineMember<ParameterInput>(result, name, given);
  }
  return result;
}

/** From a pointer into `{value}` to one into the value itself. */
function withinForm(pointer: string): string {
  const end = pointer.indexOf("/", 1);
  return end < 0 ? "" : pointer.slice(end);
}

function withSecrets<T extends ParameterInput>(input: T, secrets: readonly string[]): T {
  return secrets.length === 0 ? input : { ...input, secrets };
}

function* readParameter(entry: Value, path: string, json: ToJson): Pausing<ParameterInput> {
  const member = (name: string): Value | undefined => (isObject(entry) ? getMember(entry, name) : undefined);
  const [form, second] = parameterForms.filter((name) => member(name) !== undefined);
  const content = form === undefined ? undefined : member(form);
  if (content === undefined || second !== undefined) {
    throw new PlanProblem("InvalidShape", wrongParameterForm, path);
  }
  if (form === "expression") {
    if (typeof content !== "string") {
      throw new PlanProblem("InvalidShape", "The expression of a parameter must be a text.", `${path}.expression`);
    }
    return { expression: content };
  }
  const written = yield* json(content, path);
  return form === "reference" ? { reference: written } : { value: written };
}
