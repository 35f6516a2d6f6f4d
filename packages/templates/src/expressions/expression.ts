/** An expression of the template language. `position` is the offset in the text, brackets included. */
export type Expression = StringLiteral | IntegerLiteral | CallExpression | PropertyAccess | IndexAccess;

export interface StringLiteral {
  readonly kind: "string";
  readonly value: string;
  readonly position: number;
}

export interface IntegerLiteral {
  readonly kind: "integer";
  readonly value: bigint;
  readonly position: number;
}

export interface CallExpression {
  readonly kind: "call";
  /** Set for the functions that a template declares itself. */
  readonly namespace: string | undefined;
  readonly name: string;
  readonly args: readonly Expression[];
  readonly position: number;
}

export interface PropertyAccess {
  readonly kind: "property";
  readonly base: Expression;
  readonly name: string;
  readonly position: number;
}

export interface IndexAccess {
  readonly kind: "index";
  readonly base: Expression;
  readonly index: Expression;
  readonly position: number;
}

/** What a JSON string of a template stands for. */
export type TemplateString =
  | { readonly kind: "literal"; readonly value: string }
  | { readonly kind: "expression"; readonly expression: Expression };
