import { isExpressionText, parseTemplateString } from "../expressions/expression-parser.ts";
import type { CallExpression, Expression } from "../expressions/expression.ts";
import { getMember } from "../values/members.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../values/value.ts";
import type { CompiledExpression } from "./compiled.ts";
import type { NestedCompilation } from "./compile-nested.ts";
import { isRuntimeFunction } from "./function-kinds.ts";

/** A loop of the nested template around an expression. */
interface InnerLoop {
  /** In lower case. */
  readonly name: string;
  /** `copyIndex()` without a name can mean it. */
  readonly unnamed: boolean;
}

/**
 * With outer scope this deployment's parameters and variables are those of the nested template, which takes them over
 * (see `evaluate-nested.ts`). What it cannot take over is evaluated here: what this deployment has deployed, where it
 * runs, and in which round of its loop the nested deployment is made. An expression that also needs a loop of the
 * nested template stays there. Gives the expressions by their place (`placeOf`).
 */
export function compileOuter(
  template: ObjectValue,
  path: string,
  context: NestedCompilation,
): Map<string, CompiledExpression> {
  const found = new Map<string, CompiledExpression>();
  const visit = (value: Value, at: string, loops: readonly InnerLoop[]): void => {
    if (isArray(value)) {
      value.forEach((item, index) => visit(item, `${at}[${index}]`, loops));
    } else if (isObject(value)) {
      visitMembers(value, at, loops, visit);
    } else if (typeof value === "string" && isExpressionText(value)) {
      const parsed = context.log.attempt(at, () => parseTemplateString(value, context.limits));
      if (parsed?.kind === "expression" && belongsOutside(parsed.expression, loops, context.loop)) {
        const compiled = context.compile(value, at);
        if (compiled.kind === "expression") {
          found.set(placeOf(value, at), compiled);
        }
      }
    }
  };
  visit(template, path, []);
  return found;
}

/** Where a text stands. Its path alone will not do: names may have dots in them. */
export function placeOf(text: string, path: string): string {
  return `${path} ${text}`;
}

function visitMembers(
  object: ObjectValue,
  at: string,
  around: readonly InnerLoop[],
  visit: (value: Value, at: string, loops: readonly InnerLoop[]) => void,
): void {
  const copy = getMember(object, "copy");
  const loops = copy !== undefined && isObject(copy) ? [...around, { name: nameOf(copy, at), unnamed: true }] : around;
  for (const [member, value] of membersInScope(object)) {
    const memberAt = `${at}.${member}`;
    if (member.toLowerCase() === "copy" && isArray(value)) {
      value.forEach((entry, index) => visit(entry, `${memberAt}[${index}]`, withProperty(entry, loops)));
    } else {
      visit(value, memberAt, loops);
    }
  }
}

/** The loop of an output has no name; it goes by that of the output. */
function nameOf(loop: ObjectValue, at: string): string {
  const name = getMember(loop, "name");
  return (typeof name === "string" ? name : at.slice(at.lastIndexOf(".") + 1)).toLowerCase();
}

function withProperty(entry: Value, loops: readonly InnerLoop[]): readonly InnerLoop[] {
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

const aboutSurroundings = new Set(["deployment", "resourcegroup", "subscription", "managementgroup"]);

function belongsOutside(expression: Expression, loops: readonly InnerLoop[], ownLoop: string | undefined): boolean {
  const calls = callsIn(expression);
  const indexes = calls.filter(({ name }) => name.toLowerCase() === "copyindex");
  if (indexes.length > 0) {
    return ownLoop !== undefined && indexes.every((call) => isAboutLoop(call, loops, ownLoop.toLowerCase()));
  }
  return calls.some(({ name }) => aboutSurroundings.has(name.toLowerCase()) || isRuntimeFunction(name.toLowerCase()));
}

/** Whether a `copyIndex` is about the loop of the nested deployment, and not about one within its template. */
function isAboutLoop({ args: [first] }: CallExpression, loops: readonly InnerLoop[], ownLoop: string): boolean {
  if (first === undefined || first.kind === "integer") {
    return !loops.some(({ unnamed }) => unnamed);
  }
  const name = first.kind === "string" ? first.value.toLowerCase() : undefined;
  return name === ownLoop && !loops.some((loop) => loop.name === name);
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
