import type { Budget } from "../budget.ts";
import { type ExpressionLimits, isExpressionText } from "../expressions/expression-parser.ts";
import type { Pausing } from "../pausing.ts";
import { getMember } from "../values/members.ts";
import { isObject, type ObjectValue, type Value } from "../values/value.ts";
import type { Compiled } from "./compiled.ts";
import { compileOuter } from "./outer-expressions.ts";
import { PlanProblem, type ProblemLog } from "./plan-problem.ts";
import type { NestedEntry } from "./resource-entry.ts";

/** What a parameter is given as, one of them. */
export const parameterForms = ["value", "reference", "expression"] as const;
export const wrongParameterForm =
  "A parameter of a nested deployment needs a value, a reference or an expression, and one of them only.";

export interface NestedCompilation {
  readonly log: ProblemLog;
  readonly limits: ExpressionLimits;
  readonly budget: Budget;
  /** The name of the loop that the nested deployment itself has. */
  readonly loop: string | undefined;
  /** Whether it goes to another scope than the deployment around it. */
  readonly elsewhere: boolean;
  /** With `constant`, a description of the place, nothing that has to be deployed first can be read. */
  readonly compile: (value: Value, path: string, constant?: string) => Pausing<Compiled>;
}

/** Reads a resource of type Microsoft.Resources/deployments. */
export function* compileNested(node: ObjectValue, path: string, context: NestedCompilation): Pausing<NestedEntry> {
  const properties = getMember(node, "properties");
  const propertiesPath = `${path}.properties`;
  if (properties === undefined || !isObject(properties)) {
    throw new PlanProblem("InvalidShape", "A nested deployment needs properties.", propertiesPath);
  }
  const part = function* (name: string): Pausing<Compiled | undefined> {
    const value = given(properties, name);
    return value === undefined ? undefined : yield* context.compile(value, `${propertiesPath}.${name}`);
  };
  const constant = function* (name: string): Pausing<Compiled | undefined> {
    const value = given(node, name);
    return value === undefined
      ? undefined
      : yield* context.compile(value, `${path}.${name}`, `the ${name} of a resource`);
  };
  const template = readNestedTemplate(properties, propertiesPath);
  // A linked template is never part of this one: it is evaluated in its own scope, whatever the options say.
  const outer = isOuter(properties, propertiesPath) && template !== undefined;
  return {
    template,
    outer,
    mode: readMode(properties, propertiesPath),
    parameters: yield* compileParameters(properties, propertiesPath, context),
    templateLink: yield* part("templateLink"),
    parametersLink: yield* part("parametersLink"),
    extensionConfigs: yield* part("extensionConfigs"),
    location: yield* constant("location"),
    tags: yield* constant("tags"),
    outerExpressions: outer ? yield* compileOuter(template, `${propertiesPath}.template`, context) : new Map(),
  };
}

/** `null` says nothing. */
function given(object: ObjectValue, name: string): Value | undefined {
  return getMember(object, name) ?? undefined;
}

function readNestedTemplate(properties: ObjectValue, path: string): ObjectValue | undefined {
  const template = given(properties, "template");
  const link = given(properties, "templateLink");
  if ((template === undefined) === (link === undefined)) {
    throw new PlanProblem("InvalidShape", "A nested deployment needs either a template or a templateLink.", path);
  }
  if (template !== undefined && !isObject(template)) {
    throw new PlanProblem("InvalidShape", "A template must be an object.", `${path}.template`);
  }
  return template;
}

function isOuter(properties: ObjectValue, path: string): boolean {
  const options = getMember(properties, "expressionEvaluationOptions");
  const scope = options !== undefined && isObject(options) ? (getMember(options, "scope") ?? "outer") : "outer";
  const lower = typeof scope === "string" ? scope.toLowerCase() : "";
  if (lower !== "inner" && lower !== "outer" && lower !== "notspecified") {
    const message = "The scope of a nested deployment's expressions is inner or outer.";
    throw new PlanProblem("InvalidShape", message, `${path}.expressionEvaluationOptions.scope`);
  }
  return lower !== "inner";
}

function readMode(properties: ObjectValue, path: string): string {
  const mode = getMember(properties, "mode") ?? "Incremental";
  if (typeof mode !== "string" || mode.toLowerCase() !== "incremental") {
    throw new PlanProblem("Unsupported", "The mode of a nested deployment must be Incremental.", `${path}.mode`);
  }
  if ((getMember(properties, "onErrorDeployment") ?? null) !== null) {
    const message = "A nested deployment cannot have an onErrorDeployment: deploy the earlier template again instead.";
    throw new PlanProblem("Unsupported", message, `${path}.onErrorDeployment`);
  }
  return "Incremental";
}

function* compileParameters(
  properties: ObjectValue,
  path: string,
  context: NestedCompilation,
): Pausing<Map<string, Compiled>> {
  const parameters = given(properties, "parameters") ?? new Map<string, Value>();
  if (!isObject(parameters)) {
    throw new PlanProblem("InvalidShape", '"parameters" must be an object.', `${path}.parameters`);
  }
  if (parameters.size > 0 && given(properties, "parametersLink") !== undefined) {
    const message = "A nested deployment has parameters or a parametersLink, not both.";
    throw new PlanProblem("InvalidShape", message, path);
  }
  const seen = new Map<string, string>();
  const compiled = new Map<string, Compiled>();
  for (const [name, value] of parameters) {
    const at = `${path}.parameters.${name}`;
    const other = seen.get(name.toLowerCase());
    if (other !== undefined) {
      throw new PlanProblem("InvalidShape", `The parameter "${name}" is given twice, also as "${other}".`, at);
    }
    seen.set(name.toLowerCase(), name);
    checkParameterForm(value, at);
    compiled.set(name, yield* context.compile(value, at));
  }
  return compiled;
}

/** Finds before anything runs what `readParameter` would refuse; a loop or an expression has its form only then. */
function checkParameterForm(value: Value, path: string): void {
  const isComputed =
    typeof value === "string"
      ? isExpressionText(value)
      : isObject(value) && [...value.keys()].some((name) => name.toLowerCase() === "copy" || isExpressionText(name));
  const forms = isObject(value) ? parameterForms.filter((form) => getMember(value, form) !== undefined) : [];
  if (!isComputed && forms.length !== 1) {
    throw new PlanProblem("InvalidShape", wrongParameterForm, path);
  }
}
