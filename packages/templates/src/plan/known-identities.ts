import type { CallExpression, Expression } from "../expressions/expression.ts";
import { getMember } from "../values/members.ts";
import type { TemplateSource } from "./template-source.ts";

/** Symbols of the resources that belong to an extension, in lower case. */
export function extensionSymbols({ resources }: TemplateSource): ReadonlySet<string> {
  const symbols = new Set<string>();
  for (const { symbol, node } of resources) {
    if (symbol !== undefined && (getMember(node, "import") ?? getMember(node, "extension")) !== undefined) {
      symbols.add(symbol.toLowerCase());
    }
  }
  return symbols;
}

const known = new Set(["id", "name", "type"]);

/**
 * The compiler reads everything of an extension's resource with `reference`, also what is known before anything is
 * deployed. For places that cannot wait for a deployment, `reference('a').name` becomes `resourceInfo('a').name`.
 */
export function withKnownIdentities(expression: Expression, symbols: ReadonlySet<string>): Expression {
  switch (expression.kind) {
    case "string":
    case "integer":
      return expression;
    case "property": {
      const { base } = expression;
      const isKnown = known.has(expression.name.toLowerCase()) && base.kind === "call" && reads(base, symbols);
      return { ...expression, base: isKnown ? informed(base, symbols) : withKnownIdentities(base, symbols) };
    }
    case "index": {
      const [base, index] = [expression.base, expression.index].map((part) => withKnownIdentities(part, symbols));
      return { ...expression, base: base ?? expression.base, index: index ?? expression.index };
    }
    case "call":
      return { ...expression, args: expression.args.map((arg) => withKnownIdentities(arg, symbols)) };
    default:
      return expression satisfies never;
  }
}

function informed(call: CallExpression, symbols: ReadonlySet<string>): CallExpression {
  return { ...call, name: "resourceInfo", args: call.args.map((arg) => withKnownIdentities(arg, symbols)) };
}

/** Whether it is `reference('a')`, or `reference(format('a[{0}]', …))` for one of a loop. */
function reads({ namespace, name, args }: CallExpression, symbols: ReadonlySet<string>): boolean {
  const [target] = args;
  if (namespace !== undefined || name.toLowerCase() !== "reference" || args.length !== 1 || target === undefined) {
    return false;
  }
  const isFormat = target.kind === "call" && target.name.toLowerCase() === "format";
  const text = isFormat ? target.args[0] : target;
  return text?.kind === "string" && symbols.has(text.value.replace(/\[[^[\]]*\]$/, "").toLowerCase());
}
