import type { CallExpression } from "../expressions/expression.ts";

/** A loop around an expression, as far as it is known before anything is evaluated. */
export interface LoopName {
  /** In lower case. */
  readonly name: string;
  /** `copyIndex()` without a name can mean it: the loop of a resource or an output, never that of a property. */
  readonly unnamed: boolean;
}

/** What a `copyIndex` asks for: a loop by its name, any loop, or what only its evaluation can tell. */
export function wantedLoop({ args: [first] }: CallExpression): { readonly name?: string } | undefined {
  if (first === undefined || first.kind === "integer") {
    return {};
  }
  return first.kind === "string" ? { name: first.value } : undefined;
}

/** The innermost of the loops that a `copyIndex` can mean. */
export function loopMeant(wanted: { readonly name?: string }, loops: readonly LoopName[]): LoopName | undefined {
  const name = wanted.name?.toLowerCase();
  return loops.findLast((loop) => (name === undefined ? loop.unnamed : loop.name === name));
}
