import type { JsonObject, JsonValue } from "@rad/core";
import { getMember } from "../values/members.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../values/value.ts";
import { parameterForms, wrongParameterForm } from "./compile-nested.ts";
import type { Compiled } from "./compiled.ts";
import type { EvaluationSession } from "./evaluation-session.ts";
import { toMeasuredJson } from "./measured-json.ts";
import { placeOf } from "./outer-expressions.ts";
import { defineMember } from "./parameter-values.ts";
import type { DeployRequest, ParameterInput } from "./plan.ts";
import { PlanProblem, quietly } from "./plan-problem.ts";
import type { PreparedParts } from "./prepared-plan.ts";
import type { NestedEntry } from "./resource-entry.ts";
import type { ResourceInstance } from "./resource-instance.ts";
import type { TemplateSource } from "./template-source.ts";

/** The body of a nested deployment. Its template stays as it is, unless its expressions are this deployment's. */
export function evaluateNested(
  instance: ResourceInstance,
  nested: NestedEntry,
  session: EvaluationSession,
  parts: PreparedParts,
): DeployRequest {
  const { entry, id, name, scopes } = instance;
  if (id === undefined || name === undefined) {
    throw new PlanProblem("InvalidName", "A nested deployment needs a name.");
  }
  const path = `${entry.path}.properties`;
  const json = (value: Value, at: string): JsonValue => toMeasuredJson(value, parts.limits.templateLength, at);
  const object = (compiled: Compiled | undefined, member: string): JsonObject | undefined => {
    const before = session.unknownCount;
    const value = session.evaluateOptional(compiled);
    if (typeof value === "string" && session.unknownCount > before) {
      return undefined; // in a preview, all of it is not known yet
    }
    if (value !== undefined && value !== null && !isObject(value)) {
      throw new PlanProblem("InvalidShape", `"${member}" must be an object.`, `${path}.${member}`);
    }
    return value === undefined || value === null ? undefined : (json(value, `${path}.${member}`) as JsonObject);
  };
  const location = session.evaluateOptional(nested.location);
  return {
    kind: "deploy",
    id,
    name,
    location: typeof location === "string" ? location : undefined,
    tags: object(nested.tags, "tags"),
    template:
      nested.template === undefined
        ? undefined
        : json(
            nested.outer ? outerTemplate(nested, nested.template, `${path}.template`, session, parts) : nested.template,
            `${path}.template`,
          ),
    ...(nested.outer && nested.template !== undefined
      ? { writtenTemplate: json(nested.template, `${path}.template`) }
      : {}),
    templateLink: object(nested.templateLink, "templateLink"),
    parameters: nested.outer ? ownParameters(parts) : givenParameters(nested, `${path}.parameters`, session, json),
    parametersLink: object(nested.parametersLink, "parametersLink"),
    mode: nested.mode,
    extensionConfigs: object(nested.extensionConfigs, "extensionConfigs"),
    scopes,
  };
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

function outerTemplate(
  nested: NestedEntry,
  template: ObjectValue,
  path: string,
  session: EvaluationSession,
  parts: PreparedParts,
): Value {
  const values = new Map<string, Value>();
  for (const [place, compiled] of nested.outerExpressions) {
    const before = session.unknownCount;
    const value = session.evaluate(compiled);
    values.set(place, session.unknownCount > before ? compiled.text : escaped(value));
  }
  const adopted = new Map(adoptDeclarations(replaced(template, path, values) as ObjectValue, parts.program.source));
  adopted.set("variables", adoptedVariables(parts));
  return adopted;
}

function replaced(value: Value, path: string, values: ReadonlyMap<string, Value>): Value {
  if (typeof value === "string") {
    const known = values.get(placeOf(value, path));
    return known === undefined ? value : known;
  }
  if (isArray(value)) {
    return value.map((item, index) => replaced(item, `${path}[${index}]`, values));
  }
  if (!isObject(value)) {
    return value;
  }
  return new Map([...value].map(([name, member]) => [name, replaced(member, `${path}.${name}`, values)]));
}

/** Where a nested deployment answers otherwise than the one around it. */
const aboutSurroundings = /\b(?:deployment|resourceGroup|subscription|managementGroup)\s*\(/i;

/**
 * Variables go along as they are written: with the parameters of this deployment they have the same values there, and no
 * value that rests on a secret is written down. Only what asks about this deployment is given by value.
 */
function adoptedVariables({ program, scope, loops }: PreparedParts): ObjectValue {
  const written = getMember(program.source.document, "variables") ?? null;
  const variables = new Map<string, Value>();
  const adopt = (name: string, source: Value): boolean => {
    const value = isAboutSurroundings(source) ? quietly(() => loops.outside(() => scope.variable?.(name))) : undefined;
    if (value !== undefined) {
      variables.set(name, escaped(value));
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

/** Writes a value so that evaluating it gives the same value again. */
function escaped(value: Value): Value {
  if (typeof value === "string") {
    return escapedText(value);
  }
  if (isArray(value)) {
    return value.map(escaped);
  }
  if (!isObject(value)) {
    return value;
  }
  return new Map([...value].map(([name, member]) => [escapedName(name), escaped(member)]));
}

function escapedText(text: string): string {
  return text.startsWith("[") && text.endsWith("]") ? `[${text}` : text;
}

/** A member called `copy` would be a loop. */
function escapedName(name: string): string {
  return name.toLowerCase() === "copy" ? `[string('${name}')]` : escapedText(name);
}

function ownParameters({ parameters }: PreparedParts): Record<string, ParameterInput> {
  const result: Record<string, ParameterInput> = {};
  for (const [name, { value }] of Object.entries(parameters)) {
    defineMember<ParameterInput>(result, name, value === undefined ? { unknown: true } : { value });
  }
  return result;
}

function givenParameters(
  nested: NestedEntry,
  path: string,
  session: EvaluationSession,
  json: (value: Value, at: string) => JsonValue,
): Record<string, ParameterInput> {
  const result: Record<string, ParameterInput> = {};
  for (const [name, compiled] of nested.parameters) {
    const before = session.unknownCount;
    const entry = session.evaluate(compiled);
    const unknown = session.unknownCount > before;
    defineMember(result, name, unknown ? { unknown: true } : readParameter(entry, `${path}.${name}`, json));
  }
  return result;
}

function readParameter(entry: Value, path: string, json: (value: Value, at: string) => JsonValue): ParameterInput {
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
  return form === "reference" ? { reference: json(content, path) } : { value: json(content, path) };
}
