import type { CallExpression, Expression } from "../expressions/expression.ts";
import { isFreshFunction, isRuntimeFunction } from "./function-kinds.ts";
import type { SharedExpressions } from "./shared-expressions.ts";

/**
 * Prepares an expression for this evaluator: functions of the template lose their namespace (`ns.f` becomes a plain
 * name, found among the built-in ones), and with `shared` every part that is the same in all rounds of a loop is
 * evaluated once.
 */
export function rewriteExpression(expression: Expression, shared: SharedExpressions | undefined): Expression {
  const rewritten = rewrite(expression, shared);
  return shared === undefined ? rewritten.expression : sharedIfSame(rewritten, shared);
}

interface Rewritten {
  readonly expression: Expression;
  /** The value can change from one evaluation to the next. */
  readonly varies: boolean;
  /** Lambda variables that are bound outside, in lower case. */
  readonly free: readonly string[];
}

function rewrite(expression: Expression, shared: SharedExpressions | undefined): Rewritten {
  switch (expression.kind) {
    case "string":
    case "integer":
      return { expression, varies: false, free: [] };
    case "property": {
      const base = rewrite(expression.base, shared);
      return { ...base, expression: { ...expression, base: base.expression } };
    }
    case "index": {
      const parts = [rewrite(expression.base, shared), rewrite(expression.index, shared)];
      const whole = combine(parts, shared);
      const [base = expression.base, index = expression.index] = whole.parts;
      return { ...whole, expression: { ...expression, base, index } };
    }
    case "call":
      return rewriteCall(expression, shared);
    default:
      return expression satisfies never;
  }
}

function rewriteCall(call: CallExpression, shared: SharedExpressions | undefined): Rewritten {
  const name = call.namespace === undefined ? call.name : `${call.namespace}.${call.name}`;
  const lowerName = name.toLowerCase();
  const {
    parts: args,
    varies,
    free,
  } = combine(
    call.args.map((arg) => rewrite(arg, shared)),
    shared,
    variesByItself(lowerName),
  );
  const expression: CallExpression = { ...call, namespace: undefined, name, args };
  if (lowerName === "lambdavariables") {
    const [variable] = args;
    return variable?.kind === "string"
      ? { expression, varies, free: [variable.value.toLowerCase()] }
      : { expression, varies: true, free: [] };
  }
  if (lowerName === "lambda") {
    const bound = args.slice(0, -1).map((arg) => (arg.kind === "string" ? arg.value.toLowerCase() : ""));
    return { expression, varies, free: free.filter((variable) => !bound.includes(variable)) };
  }
  return { expression, varies, free };
}

/** Where the whole varies, the parts that do not are shared; otherwise they wait for a larger whole. */
function combine(parts: readonly Rewritten[], shared: SharedExpressions | undefined, varies = false) {
  const free = parts.flatMap((part) => part.free);
  const wholeVaries = varies || parts.some((part) => part.varies);
  const share = shared !== undefined && (wholeVaries || free.length > 0);
  return {
    varies: wholeVaries,
    free,
    parts: parts.map((part) => (share ? sharedIfSame(part, shared) : part.expression)),
  };
}

function sharedIfSame(part: Rewritten, shared: SharedExpressions): Expression {
  const same = !part.varies && part.free.length === 0;
  return same && isWorthSharing(part.expression) ? shared.share(part.expression) : part.expression;
}

/** Parameters and variables remember their values themselves, and a lambda is no value. */
const cheap = new Set(["parameters", "variables", "lambda", "true", "false", "null"]);

function isWorthSharing(expression: Expression): boolean {
  switch (expression.kind) {
    case "string":
    case "integer":
      return false;
    case "property":
      return isWorthSharing(expression.base);
    case "index":
      return isWorthSharing(expression.base) || isWorthSharing(expression.index);
    case "call":
      return !cheap.has(expression.name.toLowerCase());
    default:
      return expression satisfies never;
  }
}

function variesByItself(name: string): boolean {
  return name === "copyindex" || isFreshFunction(name) || isRuntimeFunction(name);
}
