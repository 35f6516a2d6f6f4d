import { nearestName } from "@rad/core";
import type { Budget } from "../budget.ts";
import type { CallExpression, Expression } from "../expressions/expression.ts";
import { type ExpressionLimits, isExpressionText, parseTemplateString } from "../expressions/expression-parser.ts";
import type { FunctionDefinition } from "../functions/function-call.ts";
import { pureFunctions, unknownFunction } from "../functions/pure-functions.ts";
import type { Pausing } from "../pausing.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../values/value.ts";
import {
  isRuntime,
  nullLiteral,
  type Compiled,
  type CompiledExpression,
  type CompiledLiteral,
  type CompiledLoop,
  type CompiledMember,
  type ResourceRead,
} from "./compiled.ts";
import { rewriteExpression } from "./expression-rewriter.ts";
import { isListFunction, isRuntimeFunction, readsResource } from "./function-kinds.ts";
import { withKnownIdentities } from "./known-identities.ts";
import { loopMeant, wantedLoop, type LoopName } from "./loop-names.ts";
import { allows, type Placement } from "./placement.ts";
import type { ProblemLog } from "./plan-problem.ts";
import { readLoopList } from "./read-loop.ts";
import type { SharedExpressions } from "./shared-expressions.ts";

export interface CompilerDeps {
  readonly log: ProblemLog;
  readonly limits: ExpressionLimits;
  readonly budget: Budget;
  readonly shared: SharedExpressions;
  /** Every function beyond the pure ones, by lower-case name; those of the template as `namespace.name`. */
  readonly functions: ReadonlyMap<string, Pick<FunctionDefinition, "name" | "minArgs" | "maxArgs">>;
  /** Declared names in lower case. */
  readonly parameters: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
  readonly extensionSymbols: ReadonlySet<string>;
  /** Around the whole template: with outer scope, those of the deployment that it is nested in. */
  readonly loops: readonly LoopName[];
}

export interface CompileOptions {
  readonly placement: Placement;
  /** It will be evaluated many times, so what stays the same is shared. */
  readonly looped?: boolean;
  /** The loops around the document, outermost first. */
  readonly loops?: readonly LoopName[];
  /** In place of the template's parameters: those of a function. */
  readonly parameters?: ReadonlySet<string>;
  /** Is told of every call that reads a resource. */
  readonly reads?: ResourceRead[];
  /** Is told of every function that acts on a resource (`listKeys` …). */
  readonly listFunctions?: Set<string>;
}

const noLoops: readonly CompiledLoop[] = [];

/** Parses the strings of a template, and finds without evaluating whatever can be found that way. */
export class Compiler {
  readonly #deps: CompilerDeps;

  constructor(deps: CompilerDeps) {
    this.#deps = deps;
  }

  compile(document: Value, path: string, options: CompileOptions): Pausing<Compiled> {
    return this.#compile(document, path, options, noLoops);
  }

  *#compile(document: Value, path: string, options: CompileOptions, loops: readonly CompiledLoop[]): Pausing<Compiled> {
    const { budget } = this.#deps;
    budget.spend(1);
    if (budget.isDue) {
      yield budget;
    }
    if (isArray(document)) {
      return yield* this.#array(document, path, options, loops);
    }
    return isObject(document)
      ? yield* this.#object(document, path, options, loops)
      : this.#scalar(document, path, options, loops);
  }

  #scalar(document: Value, path: string, options: CompileOptions, loops: readonly CompiledLoop[]): Compiled {
    return typeof document === "string"
      ? this.#string(document, path, options, loops)
      : { kind: "literal", value: document };
  }

  *#array(
    items: readonly Value[],
    path: string,
    options: CompileOptions,
    loops: readonly CompiledLoop[],
  ): Pausing<Compiled> {
    const { budget } = this.#deps;
    const compiled: Compiled[] = [];
    for (const [index, item] of items.entries()) {
      const itemPath = `${path}[${index}]`;
      if (isArray(item) || isObject(item)) {
        compiled.push(yield* this.#compile(item, itemPath, options, loops));
        continue;
      }
      budget.spend(1);
      if (budget.isDue) {
        yield budget;
      }
      compiled.push(this.#scalar(item, itemPath, options, loops));
    }
    if (compiled.every((item) => item.kind === "literal")) {
      return { kind: "literal", value: compiled.map((item) => item.value) };
    }
    return { kind: "array", items: compiled, runtime: compiled.some(isRuntime) };
  }

  *#object(
    object: ObjectValue,
    path: string,
    options: CompileOptions,
    loops: readonly CompiledLoop[],
  ): Pausing<Compiled> {
    const { budget } = this.#deps;
    const members: CompiledMember[] = [];
    for (const [name, value] of object) {
      budget.spend(1);
      if (budget.isDue) {
        yield budget;
      }
      const memberPath = `${path}.${name}`;
      if (name.toLowerCase() === "copy" && isArray(value)) {
        members.push(...(yield* this.#loops(value, memberPath, options, loops)));
        continue;
      }
      const key = this.#string(name, memberPath, options, loops);
      members.push({
        kind: "member",
        name: key.kind === "expression" ? key : (key.value ?? name),
        value:
          isArray(value) || isObject(value)
            ? yield* this.#compile(value, memberPath, options, loops)
            : this.#scalar(value, memberPath, options, loops),
      });
    }
    this.#refuseTwins(members);
    if (members.every(isLiteralMember)) {
      return yield* this.#literal(members);
    }
    return { kind: "object", members, runtime: members.some(isRuntimeMember) };
  }

  *#literal(members: readonly LiteralMember[]): Pausing<Compiled> {
    const { budget } = this.#deps;
    const value = new Map<string, Value>();
    for (const member of members) {
      budget.spend(1);
      if (budget.isDue) {
        yield budget;
      }
      value.set(member.name, member.value.value);
    }
    return { kind: "literal", value };
  }

  /** A loop must not take the place of another member, nor of another loop. */
  #refuseTwins(members: readonly CompiledMember[]): void {
    const loops = members.filter((member) => member.kind === "loop");
    if (loops.length === 0) {
      return;
    }
    const taken = new Set<string>();
    for (const { kind, name } of members) {
      if (kind === "member" && typeof name === "string") {
        taken.add(name.toLowerCase());
      }
    }
    for (const { name, path } of loops) {
      if (taken.has(name.toLowerCase())) {
        this.#deps.log.add("InvalidLoop", path, `There is another member "${name}" beside this loop.`);
      }
      taken.add(name.toLowerCase());
    }
  }

  *#loops(
    list: readonly Value[],
    path: string,
    options: CompileOptions,
    outer: readonly CompiledLoop[],
  ): Pausing<CompiledLoop[]> {
    const compiled: CompiledLoop[] = [];
    for (const loop of readLoopList(list, path, this.#deps.log)) {
      const looped = { ...options, looped: true };
      const planned = { ...options, placement: { ...options.placement, where: "in a loop", runtime: false } };
      const count = yield* this.#compile(loop.count, `${loop.path}.count`, planned, outer);
      const named: CompiledLoop = { kind: "loop", name: loop.name, path: loop.path, count, input: nullLiteral };
      const input = yield* this.#compile(loop.input, `${loop.path}.input`, looped, [...outer, named]);
      compiled.push({ ...named, input });
    }
    return compiled;
  }

  #string(text: string, path: string, options: CompileOptions, loops: readonly CompiledLoop[]) {
    this.#deps.budget.spend(text.length >> (isExpressionText(text) ? 1 : 5));
    const parsed = this.#deps.log.attempt(path, () => parseTemplateString(text, this.#deps.limits));
    if (parsed === undefined || parsed.kind === "literal") {
      return { kind: "literal" as const, value: parsed?.value ?? null };
    }
    const use = { runtime: false };
    const written = options.placement.runtime
      ? parsed.expression
      : withKnownIdentities(parsed.expression, this.#deps.extensionSymbols);
    this.#check(written, path, options, loops, use);
    const shared = options.looped === true ? this.#deps.shared : undefined;
    const expression = rewriteExpression(written, shared);
    return { kind: "expression", text, expression, path, runtime: use.runtime } satisfies CompiledExpression;
  }

  #check(
    expression: Expression,
    path: string,
    options: CompileOptions,
    loops: readonly CompiledLoop[],
    use: { runtime: boolean },
  ): void {
    switch (expression.kind) {
      case "string":
      case "integer":
        return;
      case "property":
        this.#check(expression.base, path, options, loops, use);
        return;
      case "index":
        this.#check(expression.base, path, options, loops, use);
        this.#check(expression.index, path, options, loops, use);
        return;
      default:
    }
    const name = nameOf(expression);
    use.runtime ||= isRuntimeFunction(name);
    this.#checkCall(expression, name, path, options);
    if (name === "copyindex") {
      this.#checkLoop(expression, path, options, loops);
    }
    const [target] = expression.args;
    if (target !== undefined && readsResource(name)) {
      const { position, name: written } = expression;
      options.reads?.push({ function: written, target: rewriteExpression(target, undefined), path, position, loops });
    }
    if (isListFunction(name)) {
      options.listFunctions?.add(expression.name);
    }
    for (const arg of expression.args) {
      this.#check(arg, path, options, loops, use);
    }
  }

  #checkCall(call: CallExpression, name: string, path: string, options: CompileOptions): void {
    const { log } = this.#deps;
    if (!allows(options.placement, name)) {
      const message = `The function "${call.name}" cannot be used ${options.placement.where}.`;
      log.add("FunctionNotAllowed", path, message, call.position);
      return;
    }
    const [first] = call.args;
    if (name === "parameters" && first?.kind === "string") {
      this.#checkName("parameter", first.value, options.parameters ?? this.#deps.parameters, path, call.position);
    } else if (name === "variables" && first?.kind === "string") {
      this.#checkName("variable", first.value, this.#deps.variables, path, call.position);
    } else {
      this.#checkFunction(call, name, path);
    }
  }

  #checkLoop(call: CallExpression, path: string, options: CompileOptions, properties: readonly CompiledLoop[]): void {
    const wanted = wantedLoop(call);
    if (wanted === undefined || !options.placement.loops) {
      return;
    }
    const around = properties.map(({ name }) => ({ name: name.toLowerCase(), unnamed: false }));
    if (loopMeant(wanted, [...this.#deps.loops, ...(options.loops ?? []), ...around]) === undefined) {
      const loop = wanted.name === undefined ? "loop" : `loop "${wanted.name}"`;
      this.#deps.log.add("FunctionNotAllowed", path, `${call.name}: there is no ${loop} here.`, call.position);
    }
  }

  #checkName(
    what: "parameter" | "variable",
    name: string,
    known: ReadonlySet<string>,
    path: string,
    position: number,
  ): void {
    if (known.has(name.toLowerCase())) {
      return;
    }
    const nearest = nearestName(name, known);
    const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    const reason = what === "parameter" ? "UnknownParameter" : "UnknownVariable";
    this.#deps.log.add(reason, path, `There is no ${what} "${name}".${hint}`, position);
  }

  #checkFunction(call: CallExpression, name: string, path: string): void {
    if (builtIntoLanguage.has(name)) {
      return;
    }
    const { functions, log } = this.#deps;
    const written = call.namespace === undefined ? call.name : `${call.namespace}.${call.name}`;
    const definition = functions.get(name) ?? pureFunctions.get(name);
    if (definition !== undefined) {
      const { minArgs, maxArgs } = definition;
      if (call.args.length < minArgs || call.args.length > maxArgs) {
        const expected = minArgs === maxArgs ? `${minArgs}` : `${minArgs} to ${maxArgs}`;
        const message = `${written}: takes ${expected} arguments, not ${call.args.length}.`;
        log.add("WrongArgumentCount", path, message, call.position);
      }
      return;
    }
    if (isListFunction(name)) {
      return;
    }
    const { code, message } = unknownFunction(written, [...pureFunctions.keys(), ...functions.keys()]);
    log.add(code, path, message, call.position);
  }
}

const builtIntoLanguage = new Set(["parameters", "variables", "lambda", "lambdavariables"]);

function nameOf(call: CallExpression): string {
  return (call.namespace === undefined ? call.name : `${call.namespace}.${call.name}`).toLowerCase();
}

function isRuntimeMember(member: CompiledMember): boolean {
  if (member.kind === "loop") {
    return isRuntime(member.count) || isRuntime(member.input);
  }
  return isRuntime(member.value) || (typeof member.name !== "string" && member.name.runtime);
}

interface LiteralMember {
  readonly kind: "member";
  readonly name: string;
  readonly value: CompiledLiteral;
}

function isLiteralMember(member: CompiledMember): member is LiteralMember {
  return member.kind === "member" && typeof member.name === "string" && member.value.kind === "literal";
}
