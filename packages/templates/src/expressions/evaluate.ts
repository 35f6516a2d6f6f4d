import { Budget } from "../budget.ts";
import { getElement, getProperty } from "../functions/access.ts";
import { invoke, type FunctionDefinition } from "../functions/function-call.ts";
import { pureFunctions, unknownFunction, type FunctionLookup } from "../functions/pure-functions.ts";
import { TemplateError } from "../template-error.ts";
import { isArray, isObject, Lambda, type Argument, type ObjectValue, type Value } from "../values/value.ts";
import type { CallExpression, Expression } from "./expression.ts";
import { parseTemplateString } from "./expression-parser.ts";

/** What expressions can see. Names arrive as the template spells them; `undefined` says that there is none such. */
export interface EvaluationScope {
  readonly parameter?: (name: string) => Value | undefined;
  readonly variable?: (name: string) => Value | undefined;
  readonly userFunction?: (namespace: string, name: string) => UserFunction | undefined;
  /** Functions that look beyond their arguments, by lower-case name. They come before the pure ones. */
  readonly functions?: FunctionLookup;
  /** Gives what takes the place of a part that looks at an opaque value. */
  readonly conceal?: () => Value;
}

/** A function that a template declares. Its body sees its own parameters in place of the template's. */
export interface UserFunction {
  readonly parameters: readonly string[];
  /** The result as the template writes it: a document whose strings may be expressions. */
  readonly body: Value;
}

/** Evaluates an expression, going only where its value needs it. Throws `TemplateError` and nothing else. */
export function evaluateExpression(
  expression: Expression,
  scope: EvaluationScope = {},
  budget: Budget = new Budget(),
): Value {
  return asValue(evaluate(expression, { scope, budget, bindings: undefined }), expression);
}

/**
 * Evaluates every string of a document, names of members included. An error names the JSON path of the string that
 * failed, below `path`.
 */
export function evaluateDocument(
  document: Value,
  scope: EvaluationScope = {},
  options: { readonly budget?: Budget; readonly path?: string } = {},
): Value {
  const environment = { scope, budget: options.budget ?? new Budget(), bindings: undefined };
  return evaluateNested(document, environment, options.path ?? "$");
}

interface Environment {
  readonly scope: EvaluationScope;
  readonly budget: Budget;
  readonly bindings: Binding | undefined;
}

/** A lambda variable; the innermost comes first. */
interface Binding {
  readonly name: string;
  readonly value: Value;
  readonly outer: Binding | undefined;
}

function evaluateNested(document: Value, environment: Environment, path: string): Value {
  if (typeof document === "string") {
    return evaluateString(document, environment, path);
  }
  if (!isArray(document) && !isObject(document)) {
    return document;
  }
  return nested(environment.budget, () =>
    isArray(document) ? evaluateItems(document, environment, path) : evaluateMembers(document, environment, path),
  );
}

function evaluateItems(items: readonly Value[], environment: Environment, path: string): Value {
  environment.budget.spend(items.length);
  return items.map((item, index) => evaluateNested(item, environment, `${path}[${index}]`));
}

function evaluateMembers(members: ObjectValue, environment: Environment, path: string): Value {
  environment.budget.spend(members.size);
  const result = new Map<string, Value>();
  for (const [written, member] of members) {
    const memberPath = `${path}.${written}`;
    const name = evaluateString(written, environment, memberPath);
    if (typeof name !== "string") {
      throw new TemplateError("WrongArgumentKind", "The name of a member must be a string.", { path: memberPath });
    }
    result.set(name, evaluateNested(member, environment, memberPath));
  }
  return result;
}

function evaluateString(text: string, environment: Environment, path: string): Value {
  try {
    const parsed = parseTemplateString(text);
    if (parsed.kind === "literal") {
      return parsed.value;
    }
    return asValue(evaluate(parsed.expression, environment), parsed.expression);
  } catch (error) {
    throw error instanceof TemplateError ? error.at({ path }) : error;
  }
}

function evaluate(expression: Expression, environment: Environment): Argument {
  switch (expression.kind) {
    case "string":
    case "integer":
      return expression.value;
    default:
  }
  environment.budget.spend(1);
  environment.budget.enter();
  try {
    switch (expression.kind) {
      case "call":
        return evaluateCall(expression, environment);
      case "property":
        environment.budget.spend(expression.name.length >> 4);
        return getProperty(evaluateValue(expression.base, environment), expression.name);
      case "index": {
        const base = evaluateValue(expression.base, environment);
        const index = evaluateValue(expression.index, environment);
        environment.budget.spend(typeof index === "string" ? index.length >> 4 : 0);
        return getElement(base, index);
      }
      default:
        return expression satisfies never;
    }
  } catch (error) {
    if (error instanceof TypeError && environment.scope.conceal !== undefined) {
      return environment.scope.conceal();
    }
    throw error instanceof TemplateError ? error.at({ position: expression.position }) : error;
  } finally {
    environment.budget.leave();
  }
}

function evaluateValue(expression: Expression, environment: Environment): Value {
  return asValue(evaluate(expression, environment), expression);
}

function asValue(argument: Argument, expression: Expression): Value {
  if (Lambda.is(argument)) {
    const message = "A lambda can only be an argument of the functions that take one.";
    throw new TemplateError("WrongArgumentKind", message, { position: expression.position });
  }
  return argument;
}

function evaluateCall(call: CallExpression, environment: Environment): Argument {
  if (call.namespace !== undefined) {
    return callUserFunction(call, call.namespace, environment);
  }
  const name = call.name.toLowerCase();
  switch (name) {
    case "parameters":
      return readNamed(call, environment, "parameter");
    case "variables":
      return readNamed(call, environment, "variable");
    case "lambda":
      return createLambda(call, environment);
    case "lambdavariables":
      return readLambdaVariable(call, environment);
    default:
  }
  const definition = environment.scope.functions?.get(name) ?? pureFunctions.get(name);
  if (definition === undefined) {
    throw unknownFunction(call.name, [...pureFunctions.keys(), ...(environment.scope.functions?.keys() ?? [])]);
  }
  return invoke(definition, argumentsOf(call, definition, environment), environment.budget);
}

function argumentsOf(call: CallExpression, definition: FunctionDefinition, environment: Environment) {
  const read = (index: number): Argument => {
    const expression = call.args[index];
    return expression === undefined ? null : evaluate(expression, environment);
  };
  if (definition.lazy) {
    return { count: call.args.length, read };
  }
  const values = call.args.map((_, index) => read(index));
  return { count: values.length, read: (index: number): Argument => values[index] ?? null };
}

function readNamed(call: CallExpression, environment: Environment, what: "parameter" | "variable"): Value {
  const name = onlyName(call, environment);
  const value = environment.scope[what]?.(name);
  if (value === undefined) {
    const code = what === "parameter" ? "UnknownParameter" : "UnknownVariable";
    throw new TemplateError(code, `There is no ${what} "${name}".`);
  }
  return value;
}

function onlyName(call: CallExpression, environment: Environment): string {
  const [only, ...more] = call.args;
  if (only === undefined || more.length > 0) {
    throw new TemplateError("WrongArgumentCount", `${call.name}: takes 1 argument, not ${call.args.length}.`);
  }
  const name = evaluateValue(only, environment);
  if (typeof name !== "string") {
    throw new TemplateError("WrongArgumentKind", `${call.name}: the name must be a string.`);
  }
  return name;
}

/** All arguments but the last are the names of the parameters, written out. */
function createLambda(call: CallExpression, environment: Environment): Lambda {
  const body = call.args.at(-1);
  if (body === undefined) {
    throw new TemplateError("WrongArgumentCount", "lambda: takes at least 1 argument, not 0.");
  }
  const names = call.args.slice(0, -1).map((parameter) => {
    if (parameter.kind !== "string") {
      throw new TemplateError("WrongArgumentKind", "lambda: the name of a parameter must be a literal text.");
    }
    return parameter.value.toLowerCase();
  });
  return new Lambda(names.length, (args) => {
    environment.budget.spend(1);
    const bindings = names.reduce<Binding | undefined>(
      (outer, name, index) => ({ name, value: args[index] ?? null, outer }),
      environment.bindings,
    );
    return nested(environment.budget, () => evaluateValue(body, { ...environment, bindings }));
  });
}

function readLambdaVariable(call: CallExpression, environment: Environment): Value {
  const name = onlyName(call, environment);
  const wanted = name.toLowerCase();
  for (let binding = environment.bindings; binding !== undefined; binding = binding.outer) {
    if (binding.name === wanted) {
      return binding.value;
    }
  }
  throw new TemplateError("UnknownVariable", `There is no lambda variable "${name}".`);
}

function callUserFunction(call: CallExpression, namespace: string, environment: Environment): Value {
  const declared = environment.scope.userFunction?.(namespace, call.name);
  if (declared === undefined) {
    throw new TemplateError("UnknownFunction", `There is no function "${namespace}.${call.name}".`);
  }
  const { parameters, body } = declared;
  if (parameters.length !== call.args.length) {
    const message = `${namespace}.${call.name}: takes ${parameters.length} arguments, not ${call.args.length}.`;
    throw new TemplateError("WrongArgumentCount", message);
  }
  environment.budget.spend(1);
  const values = new Map(
    call.args.map((arg, index) => [(parameters[index] ?? "").toLowerCase(), evaluateValue(arg, environment)]),
  );
  const scope = { ...environment.scope, parameter: (name: string) => values.get(name.toLowerCase()) };
  const inner = { scope, budget: environment.budget, bindings: undefined };
  return nested(environment.budget, () => evaluateNested(body, inner, `${namespace}.${call.name}`));
}

/** Counts as a level of its own, because it takes as much of the stack as one. */
function nested(budget: Budget, run: () => Value): Value {
  budget.enter();
  try {
    return run();
  } finally {
    budget.leave();
  }
}
