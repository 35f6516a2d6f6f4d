import { Token } from "../syntax/index.ts";
import type { Expression } from "../syntax/index.ts";
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

// What an argument looks like in the source matters to no built-in function but `nameof`.
const someExpression: Expression = {
  kind: "NullLiteral",
  id: 0,
  start: 0,
  end: 4,
  token: new Token("identifier", 0, 4, 0, [], []),
};
