import type { Expression } from "../expressions/expression.ts";
import type { Value } from "../values/value.ts";

/** A part of a template whose strings are parsed, so that every round of a loop only evaluates. */
export type Compiled = CompiledLiteral | CompiledExpression | CompiledArray | CompiledObject;

export interface CompiledLiteral {
  readonly kind: "literal";
  readonly value: Value;
}

export interface CompiledExpression {
  readonly kind: "expression";
  /** As the template has it, brackets included. */
  readonly text: string;
  readonly expression: Expression;
  readonly path: string;
  /** It can only be evaluated when other resources are deployed. */
  readonly runtime: boolean;
}

export interface CompiledArray {
  readonly kind: "array";
  readonly items: readonly Compiled[];
  readonly runtime: boolean;
}

export interface CompiledObject {
  readonly kind: "object";
  readonly members: readonly CompiledMember[];
  readonly runtime: boolean;
}

export type CompiledMember =
  | { readonly kind: "member"; readonly name: string | CompiledExpression; readonly value: Compiled }
  | CompiledLoop;

/** One entry of a `copy` list: makes a member that holds an array. */
export interface CompiledLoop {
  readonly kind: "loop";
  readonly name: string;
  readonly path: string;
  readonly count: Compiled;
  readonly input: Compiled;
}

/** A call that reads a resource: the resource has to be deployed before. */
export interface ResourceRead {
  /** As it is written. */
  readonly function: string;
  readonly target: Expression;
  /** Of the expression. */
  readonly path: string;
  /** Of the call within it. */
  readonly position: number;
  /** The loops around it, below that of the resource. */
  readonly loops: readonly CompiledLoop[];
}

export function isRuntime(compiled: Compiled): boolean {
  return compiled.kind !== "literal" && compiled.runtime;
}

export const nullLiteral: CompiledLiteral = { kind: "literal", value: null };
