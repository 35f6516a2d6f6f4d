import {
  Budget,
  define,
  evaluateDocument,
  evaluateExpression,
  isArray,
  isObject,
  parseTemplateString,
  TemplateError,
} from "@rad/templates";
import type { CallExpression, EvaluationScope, UserFunction, Value } from "@rad/templates";
import type { Expression } from "../syntax/index.ts";
import { call, text } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import { memberOf } from "./arm-imports.ts";
import { Place } from "./convert.ts";
import { emitFunctions, emitImportedVariables } from "./declarations.ts";
import type { FileContext } from "./file-context.ts";
import type { ImportClosure } from "./import-closure.ts";
import type { EmittedVariable } from "./imported-items.ts";
import { expressionOfLiteral } from "./literals.ts";
import { convertLoop } from "./values.ts";

/** What an expression of a parameters file comes to: a value, or an expression that waits for external inputs. */
export type Reduced =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "expression"; readonly expression: ArmExpression };

/** Finds the values of one parameters file. Throws `TemplateError` where a value cannot be found. */
export class ParametersEvaluator {
  readonly #base: ParametersEvaluator | undefined;
  readonly #env: Place;
  readonly #declared = new Map<string, Expression>();
  readonly #imported: ReadonlyMap<string, EmittedVariable>;
  readonly #functions: ReadonlyMap<string, UserFunction>;
  readonly #reduced = new Map<string, Reduced>();
  readonly #running = new Set<string>();
  readonly #scope: EvaluationScope;

  constructor(file: FileContext, closure: ImportClosure, base: ParametersEvaluator | undefined) {
    this.#base = base;
    this.#env = new Place(file);
    const { parameterAssignments, variables } = file.model.declarations;
    for (const symbol of [...parameterAssignments, ...variables]) {
      this.#declared.set(
        keyOf(symbol.kind === "variable" ? "variable" : "parameter", symbol.name),
        symbol.declaration.value,
      );
    }
    this.#imported = emitImportedVariables(closure, file.session.budget);
    this.#functions = importedFunctions(file, closure);
    this.#scope = {
      parameter: (name) => this.#valueOf("parameter", name),
      variable: (name) => this.#valueOf("variable", name),
      userFunction: (namespace, name) => this.#functions.get(`${namespace}.${name}`),
    };
  }

  reduce(node: Expression): Reduced {
    return this.#reduceExpression(this.#convert(node), noArguments);
  }

  #convert(node: Expression): ArmExpression {
    return node.kind === "ForExpression" ? convertLoop(this.#env, node) : this.#env.convert(node);
  }

  /** Evaluates what can be evaluated now; the rest stays an expression. */
  #reduceExpression(expression: ArmExpression, args: Arguments): Reduced {
    return this.#waits(expression, args)
      ? { kind: "expression", expression: this.#rebuild(expression, args) }
      : { kind: "value", value: evaluateExpression(expression, this.#scopeWith(args)) };
  }

  #scopeWith(args: Arguments): EvaluationScope {
    if (args === noArguments) {
      return this.#scope;
    }
    return {
      ...this.#scope,
      parameter: (name) => {
        const argument = args.get(name);
        return argument === undefined ? undefined : evaluateExpression(argument, this.#scope);
      },
    };
  }

  /** Whether an expression needs an external input, or stands in a lambda that does. */
  #waits(expression: ArmExpression, args: Arguments): boolean {
    switch (expression.kind) {
      case "string":
      case "integer":
        return false;
      case "property":
        return this.#waits(expression.base, args);
      case "index":
        return this.#waits(expression.base, args) || this.#waits(expression.index, args);
      default:
    }
    const named = nameRead(expression);
    if (named !== undefined) {
      const argument = named.kind === "parameter" ? args.get(named.name) : undefined;
      return argument === undefined
        ? this.#resolve(named.kind, named.name)?.kind === "expression"
        : this.#waits(argument, noArguments);
    }
    return (
      (expression.namespace === undefined && waitingFunctions.has(expression.name)) ||
      expression.args.some((argument) => this.#waits(argument, args))
    );
  }

  #rebuild(expression: ArmExpression, args: Arguments): ArmExpression {
    const part = (inner: ArmExpression): ArmExpression => {
      if (isFree(inner, args)) {
        return this.#rebuild(inner, args);
      }
      const reduced = this.#reduceExpression(inner, args);
      return reduced.kind === "value" ? expressionOfLiteral(reduced.value) : reduced.expression;
    };
    switch (expression.kind) {
      case "string":
      case "integer":
        return expression;
      case "property":
        return { ...expression, base: part(expression.base) };
      case "index":
        return { ...expression, base: part(expression.base), index: part(expression.index) };
      default:
    }
    const named = nameRead(expression);
    if (named !== undefined) {
      const argument = named.kind === "parameter" ? args.get(named.name) : undefined;
      if (argument !== undefined) {
        return argument;
      }
      const resolved = this.#resolve(named.kind, named.name);
      return resolved?.kind === "expression"
        ? resolved.expression
        : expressionOfLiteral(evaluateExpression(expression, this.#scope));
    }
    const declared = expression.namespace === undefined ? undefined : this.#functions.get(nameOfCall(expression));
    if (declared === undefined) {
      return { ...expression, args: expression.args.map(part) };
    }
    // Parameters files cannot call functions of their own, so the function's body takes the place of the call.
    const given = expression.args.map(part);
    const inner = new Map(declared.parameters.map((name, position) => [name, given[position] ?? call("null")]));
    return this.#rebuild(expressionOfDocument(declared.body), inner);
  }

  /** Variables of other files cannot see external inputs. */
  #evaluateImported(variable: EmittedVariable): Value {
    if (variable.kind === "value") {
      return evaluateDocument(variable.value, this.#scope);
    }
    const [count = null, input = null] = ["count", "input"].map((name) => variable.loop.get(name));
    const turns = Number(evaluateDocument(count, this.#scope));
    const budget = new Budget();
    return Array.from({ length: turns }, (_, turn) => {
      const functions = new Map([["copyindex", define("copyIndex", [0, 1], () => BigInt(turn))]]);
      return evaluateDocument(input, { ...this.#scope, functions }, { budget });
    });
  }

  #valueOf(kind: NameKind, name: string): Value | undefined {
    const reduced = this.#resolve(kind, name);
    if (reduced?.kind === "expression") {
      throw new TemplateError("InvalidArgument", `"${name}" is known only when the deployment starts.`);
    }
    return reduced?.value;
  }

  /** What a name stands for; nothing when there is no such name. */
  #resolve(kind: NameKind, name: string): Reduced | undefined {
    if (kind === "parameter" && name.startsWith(basePrefix)) {
      const base = this.#base;
      return base && base.#resolve(kind, name.slice(basePrefix.length));
    }
    const key = keyOf(kind, name);
    const known = this.#reduced.get(key);
    if (known !== undefined) {
      return known;
    }
    if (this.#running.has(key)) {
      throw new TemplateError("InvalidArgument", `"${name}" refers to itself.`);
    }
    this.#running.add(key);
    try {
      const reduced = this.#reduceDeclared(key) ?? (kind === "variable" ? this.#reduceImported(name) : undefined);
      if (reduced !== undefined) {
        this.#reduced.set(key, reduced);
      }
      return reduced;
    } finally {
      this.#running.delete(key);
    }
  }

  #reduceDeclared(key: string): Reduced | undefined {
    const node = this.#declared.get(key);
    return node && this.reduce(node);
  }

  #reduceImported(name: string): Reduced | undefined {
    const variable = this.#imported.get(name);
    return variable && { kind: "value", value: this.#evaluateImported(variable) };
  }
}

type NameKind = "parameter" | "variable";

/** What the parameters of a function stand for while its body takes the place of a call. */
type Arguments = ReadonlyMap<string, ArmExpression>;
const noArguments: Arguments = new Map();

/** In front of the names of parameters of the file that is extended. */
const basePrefix = "base.";

function keyOf(kind: NameKind, name: string): string {
  return `${kind}:${name}`;
}

/** Functions whose value is known only when a deployment starts. */
const waitingFunctions: ReadonlySet<string> = new Set(["externalInputs"]);

/** The name that `parameters('name')` or `variables('name')` reads. */
function nameRead(expression: CallExpression): { readonly kind: NameKind; readonly name: string } | undefined {
  const [name] = expression.args;
  if (expression.namespace !== undefined || name?.kind !== "string") {
    return undefined;
  }
  switch (expression.name) {
    case "parameters":
      return { kind: "parameter", name: name.value };
    case "variables":
      return { kind: "variable", name: name.value };
    default:
      return undefined;
  }
}

/** Whether an expression is a lambda or uses the variables of one around it, and so has no value of its own. */
function isFree(expression: ArmExpression, args: Arguments): boolean {
  switch (expression.kind) {
    case "string":
    case "integer":
      return false;
    case "property":
      return isFree(expression.base, args);
    case "index":
      return isFree(expression.base, args) || isFree(expression.index, args);
    default:
  }
  if (expression.name === "lambda" || expression.name === "lambdaVariables") {
    return true;
  }
  const named = nameRead(expression);
  const argument = named?.kind === "parameter" ? args.get(named.name) : undefined;
  return argument === undefined ? expression.args.some((inner) => isFree(inner, args)) : isFree(argument, noArguments);
}

function nameOfCall(expression: CallExpression): string {
  return `${expression.namespace}.${expression.name}`;
}

/** A part of a template as one expression. */
function expressionOfDocument(document: Value): ArmExpression {
  if (typeof document === "string") {
    const parsed = parseTemplateString(document);
    return parsed.kind === "literal" ? text(parsed.value) : parsed.expression;
  }
  if (isArray(document)) {
    return call("createArray", ...document.map(expressionOfDocument));
  }
  if (isObject(document)) {
    const members = Array.from(document, ([name, member]) => [
      expressionOfDocument(name),
      expressionOfDocument(member),
    ]);
    return call("createObject", ...members.flat());
  }
  return expressionOfLiteral(document);
}

/** The functions that a file imports, with the names with which expressions call them. */
function importedFunctions(file: FileContext, closure: ImportClosure): ReadonlyMap<string, UserFunction> {
  const functions = new Map<string, UserFunction>();
  for (const namespace of emitFunctions(file, closure)) {
    if (isObject(namespace)) {
      const members = namespace.get("members") ?? null;
      for (const [name, member] of isObject(members) ? members : []) {
        functions.set(`${stringOf(namespace.get("namespace"))}.${name}`, userFunction(member));
      }
    }
  }
  return functions;
}

function userFunction(node: Value): UserFunction {
  const parameters = memberOf(node, "parameters") ?? null;
  return {
    parameters: isArray(parameters) ? parameters.map((item) => stringOf(memberOf(item, "name"))) : [],
    body: memberOf(memberOf(node, "output"), "value") ?? null,
  };
}

function stringOf(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}
