import { isExpressionText, parseTemplateString } from "../expressions/expression-parser.ts";
import type { CallExpression, Expression } from "../expressions/expression.ts";
import type { Pausing } from "../pausing.ts";
import { getMember } from "../values/members.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../values/value.ts";
import type { CompiledExpression } from "./compiled.ts";
import type { NestedCompilation } from "./compile-nested.ts";
import { isRuntimeFunction } from "./function-kinds.ts";
import { loopMeant, wantedLoop, type LoopName } from "./loop-names.ts";

/**
 * With outer scope this deployment's parameters and variables are those of the nested template, which takes them over
 * (see `evaluate-nested.ts`). What it cannot take over is evaluated here: what this deployment has deployed, where it
 * runs, and in which round of its loop the nested deployment is made. An expression that also needs a loop of the
 * nested template stays there. Gives the expressions by their place (`placeOf`).
 */
export function* compileOuter(
  template: ObjectValue,
  path: string,
  context: NestedCompilation,
): Pausing<Map<string, CompiledExpression>> {
  const found = new Map<string, CompiledExpression>();
  const { budget } = context;
  const visit: Visit = function* (value, at, loops) {
    budget.spend(1);
    if (budget.isDue) {
      yield budget;
    }
    if (isArray(value)) {
      for (const [index, item] of value.entries()) {
        yield* visit(item, `${at}[${index}]`, loops);
      }
    } else if (isObject(value)) {
      yield* visitMembers(value, at, loops, visit);
    } else if (typeof value === "string" && isExpressionText(value)) {
      budget.spend(value.length >> 1);
      const parsed = context.log.attempt(at, () => parseTemplateString(value, context.limits));
      if (parsed?.kind === "expression" && belongsOutside(parsed.expression, loops, context, at)) {
        const compiled = yield* context.compile(value, at);
        if (compiled.kind === "expression") {
          found.set(placeOf(value, at), compiled);
        }
      }
    }
  };
  yield* visit(template, path, []);
  return found;
}

/** Where a text stands. Its path alone will not do: names may have dots in them. */
export function placeOf(text: string, path: string): string {
  return `${path} ${text}`;
}

type Visit = (value: Value, at: string, loops: readonly LoopName[]) => Pausing<void>;

function* visitMembers(object: ObjectValue, at: string, around: readonly LoopName[], visit: Visit): Pausing<void> {
  const copy = getMember(object, "copy");
  const loops = copy !== undefined && isObject(copy) ? [...around, { name: nameOf(copy, at), unnamed: true }] : around;
  for (const [member, value] of membersInScope(object)) {
    const memberAt = `${at}.${member}`;
    if (member.toLowerCase() === "copy" && isArray(value)) {
      for (const [index, entry] of value.entries()) {
        yield* visit(entry, `${memberAt}[${index}]`, withProperty(entry, loops));
      }
    } else {
      yield* visit(value, memberAt, loops);
    }
  }
}

/** The loop of an output has no name; it goes by that of the output. */
function nameOf(loop: ObjectValue, at: string): string {
  const name = getMember(loop, "name");
  return (typeof name === "string" ? name : at.slice(at.lastIndexOf(".") + 1)).toLowerCase();
}

function withProperty(entry: Value, loops: readonly LoopName[]): readonly LoopName[] {
  const name = isObject(entry) ? getMember(entry, "name") : undefined;
  return typeof name === "string" ? [...loops, { name: name.toLowerCase(), unnamed: false }] : loops;
}

/** A template with inner scope, further in, is nobody's business but its own. */
function membersInScope(object: ObjectValue): ObjectValue {
  const options = getMember(object, "expressionEvaluationOptions");
  const scope = options !== undefined && isObject(options) ? getMember(options, "scope") : undefined;
  if (typeof scope !== "string" || scope.toLowerCase() !== "inner") {
    return object;
  }
  return new Map([...object].filter(([name]) => name.toLowerCase() !== "template"));
}

/** What is different in the nested deployment, always or where that goes to another group. */
const aboutDeployment = new Set(["deployment"]);
const aboutScope = new Set(["resourcegroup", "subscription", "managementgroup"]);

function belongsOutside(
  expression: Expression,
  loops: readonly LoopName[],
  context: NestedCompilation,
  at: string,
): boolean {
  const calls = callsIn(expression);
  const calling = (isWanted: (name: string) => boolean): boolean =>
    calls.some(({ name }) => isWanted(name.toLowerCase()));
  const indexes = calls.filter(({ name }) => name.toLowerCase() === "copyindex");
  const outside = indexes.filter((call) => isAboutLoop(call, loops, context.loop));
  if (outside.length === indexes.length) {
    const isAbout = (name: string): boolean =>
      aboutDeployment.has(name) || aboutScope.has(name) || isRuntimeFunction(name);
    return indexes.length > 0 || calling(isAbout);
  }
  const isAmiss = (name: string): boolean => aboutDeployment.has(name) || (context.elsewhere && aboutScope.has(name));
  if (outside.length > 0 || calling(isAmiss)) {
    const message =
      "With outer scope, one expression cannot be about this deployment and about a loop of the nested one.";
    context.log.add("Unsupported", at, message, expression.position);
  }
  return false;
}

/** Whether a `copyIndex` is about the loop of the nested deployment, and not about one within its template. */
function isAboutLoop(call: CallExpression, loops: readonly LoopName[], ownLoop: string | undefined): boolean {
  const wanted = wantedLoop(call);
  if (wanted === undefined || ownLoop === undefined || loopMeant(wanted, loops) !== undefined) {
    return false;
  }
  return wanted.name === undefined || wanted.name.toLowerCase() === ownLoop.toLowerCase();
}

function callsIn(expression: Expression, into: CallExpression[] = []): CallExpression[] {
  switch (expression.kind) {
    case "string":
    case "integer":
      break;
    case "property":
      callsIn(expression.base, into);
      break;
    case "index":
      callsIn(expression.base, into);
      callsIn(expression.index, into);
      break;
    case "call":
      into.push(expression);
      expression.args.forEach((arg) => callsIn(arg, into));
      break;
    default:
      expression satisfies never;
  }
  return into;
}
