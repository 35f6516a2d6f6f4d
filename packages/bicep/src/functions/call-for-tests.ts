import { parseBicep, walk } from "../syntax/index.ts";
import type { Expression, Node } from "../syntax/index.ts";
import { ScopeFlags } from "../types/index.ts";
import type { CallHost, CallResult, NamespaceType, Type } from "../types/index.ts";
import { resolveOverload, templateFold } from "./index.ts";
import type { NamespaceOptions } from "./index.ts";

/** Options for a template that targets a resource group. */
export const template: NamespaceOptions = {
  file: "template",
  targetScope: ScopeFlags.ResourceGroup,
  feature: () => false,
};

/** A host without files, names and variables, except for the variable `SET`. */
export const testHost: CallHost = {
  fold: templateFold,
  files: {
    load: () => ({ problem: { code: "BCP091", level: "error", message: "There is no such file.", argument: 0 } }),
  },
  nameOf: () => undefined,
  environmentVariable: (name) => (name === "SET" ? "value of SET" : undefined),
};

/** Calls a built-in function with arguments of these types, as the checker does. */
export function call(
  namespace: NamespaceType,
  name: string,
  types: readonly Type[],
  host: CallHost = testHost,
): CallResult {
  const resolution = resolveOverload(namespace.functions.overloads(name), types);
  if (resolution.kind !== "match") {
    throw new Error(`${name} cannot be called so: ${resolution.kind}`);
  }
  const { overload, argumentTypes } = resolution;
  const argumentNodes = types.map(() => someExpression);
  return overload.result?.({ argumentTypes, argumentNodes, host }) ?? { type: overload.returns, problems: [] };
}

const someExpression = expressionOf("var x = null");

function expressionOf(source: string): Expression {
  let found: Expression | undefined;
  walk(parseBicep(source).program, (node: Node) => {
    if (node.kind === "NullLiteral") {
      found = node;
    }
  });
  if (found === undefined) {
    throw new Error("The source has no null.");
  }
  return found;
}
