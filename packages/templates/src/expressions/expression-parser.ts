import { TemplateError } from "../template-error.ts";
import { fitsInteger } from "../values/integers.ts";
import type { Expression, TemplateString } from "./expression.ts";

export interface ExpressionLimits {
  /** Characters. */
  readonly expressionLength: number;
  /** Brackets within brackets. */
  readonly expressionDepth: number;
}

/** The evaluator goes deeper than this, so an expression that parses can also run; no limit should be set higher. */
export const defaultExpressionLimits: ExpressionLimits = { expressionLength: 24_576, expressionDepth: 400 };

/** Whether a string is an expression is decided by its first and last characters alone. */
export function isExpressionText(text: string): boolean {
  return text.startsWith("[") && text.endsWith("]") && !text.startsWith("[[");
}

/** Reads a JSON string of a template: an expression in brackets, an escaped literal (`[[…]`) or plain text. */
export function parseTemplateString(text: string, limits = defaultExpressionLimits): TemplateString {
  if (isExpressionText(text)) {
    return { kind: "expression", expression: parseExpression(text, limits) };
  }
  return { kind: "literal", value: text.startsWith("[[") && text.endsWith("]") ? text.slice(1) : text };
}

/** Reads `[…]`. Fails with `ExpressionSyntax` and the position, or with `LimitExceeded`. */
export function parseExpression(text: string, limits = defaultExpressionLimits): Expression {
  const { expressionLength, expressionDepth } = limits;
  if (text.length > expressionLength) {
    throw new TemplateError("LimitExceeded", `An expression has more than ${expressionLength} characters.`, {
      position: 0,
    });
  }
  const parser = new Parser(text, 1, text.length - 1, expressionDepth);
  const expression = parser.expression(0);
  parser.end();
  return expression;
}

class Parser {
  readonly #text: string;
  readonly #end: number;
  readonly #maxDepth: number;
  #at: number;

  constructor(text: string, start: number, end: number, maxDepth: number) {
    this.#text = text;
    this.#at = start;
    this.#end = end;
    this.#maxDepth = maxDepth;
  }

  expression(depth: number): Expression {
    if (depth > this.#maxDepth) {
      const message = `An expression nests more than ${this.#maxDepth} levels deep.`;
      throw new TemplateError("LimitExceeded", message, { position: this.#at });
    }
    this.#skipSpace();
    const position = this.#at;
    const char = this.#peek();
    if (char === "'") {
      return { kind: "string", value: this.#string(), position };
    }
    if (char === "-" || char === "+" || isDigit(char)) {
      return { kind: "integer", value: this.#integer(), position };
    }
    return this.#accesses(this.#call(depth), depth);
  }

  end(): void {
    this.#skipSpace();
    if (this.#at < this.#end) {
      throw this.#error("The expression should end here");
    }
  }

  #call(depth: number): Expression {
    const position = this.#at;
    let name = this.#identifier("A function name, a text or an integer is missing here");
    let namespace: string | undefined;
    this.#skipSpace();
    if (this.#peek() === ".") {
      this.#at += 1;
      this.#skipSpace();
      namespace = name;
      name = this.#identifier("A function name is missing after the namespace");
      this.#skipSpace();
    }
    if (this.#peek() !== "(") {
      throw this.#error(`The function "${name}" needs its parentheses here`);
    }
    this.#at += 1;
    return { kind: "call", namespace, name, args: this.#arguments(depth + 1), position };
  }

  #arguments(depth: number): Expression[] {
    const args: Expression[] = [];
    this.#skipSpace();
    if (this.#peek() === ")") {
      this.#at += 1;
      return args;
    }
    for (;;) {
      args.push(this.expression(depth));
      this.#skipSpace();
      const char = this.#peek();
      if (char !== "," && char !== ")") {
        throw this.#error('"," or ")" is missing here');
      }
      this.#at += 1;
      if (char === ")") {
        return args;
      }
    }
  }

  #accesses(call: Expression, depth: number): Expression {
    let base = call;
    // Each access wraps the one before it, so a chain is as deep for the evaluator as brackets are.
    for (let nesting = depth + 1; ; nesting += 1) {
      this.#skipSpace();
      const position = this.#at;
      const char = this.#peek();
      if (char !== "." && char !== "[") {
        return base;
      }
      if (nesting > this.#maxDepth) {
        throw new TemplateError("LimitExceeded", `An expression nests more than ${this.#maxDepth} levels deep.`, {
          position,
        });
      }
      this.#at += 1;
      base = char === "." ? this.#property(base, position) : this.#index(base, position, nesting);
    }
  }

  #property(base: Expression, position: number): Expression {
    this.#skipSpace();
    return { kind: "property", base, name: this.#identifier("A property name is missing here"), position };
  }

  #index(base: Expression, position: number, depth: number): Expression {
    const index = this.expression(depth);
    this.#skipSpace();
    if (this.#peek() !== "]") {
      throw this.#error('"]" is missing here');
    }
    this.#at += 1;
    return { kind: "index", base, index, position };
  }

  #string(): string {
    const position = this.#at;
    let value = "";
    for (let from = position + 1; ;) {
      const quote = this.#text.indexOf("'", from);
      if (quote < 0 || quote >= this.#end) {
        throw new TemplateError("ExpressionSyntax", "This text has no closing quote.", { position });
      }
      value += this.#text.slice(from, quote);
      from = quote + 1;
      if (from >= this.#end || this.#text[from] !== "'") {
        this.#at = from;
        return value;
      }
      value += "'";
      from += 1;
    }
  }

  #integer(): bigint {
    const start = this.#at;
    this.#at += isDigit(this.#peek()) ? 0 : 1;
    const digits = this.#at;
    while (isDigit(this.#peek())) {
      this.#at += 1;
    }
    if (this.#at === digits) {
      throw this.#error("Digits are missing here");
    }
    const text = this.#text.slice(this.#text[start] === "+" ? digits : start, this.#at);
    const value = text.length > 64 ? undefined : BigInt(text);
    if (value === undefined || !fitsInteger(value)) {
      throw new TemplateError("ExpressionSyntax", "This integer does not fit 64 bits.", { position: start });
    }
    return value;
  }

  #identifier(problem: string): string {
    const start = this.#at;
    if (!isNameStart(this.#peek())) {
      throw this.#error(problem);
    }
    while (isNameStart(this.#peek()) || isDigit(this.#peek())) {
      this.#at += 1;
    }
    return this.#text.slice(start, this.#at);
  }

  #skipSpace(): void {
    while (isSpace(this.#peek())) {
      this.#at += 1;
    }
  }

  /** The next character, or an empty string at the end, which belongs to no class of characters. */
  #peek(): string {
    return this.#at < this.#end ? (this.#text[this.#at] ?? "") : "";
  }

  #error(problem: string): TemplateError {
    return new TemplateError("ExpressionSyntax", `${problem}.`, { position: this.#at });
  }
}

function isSpace(char: string): boolean {
  return char === " " || char === "\t" || char === "\r" || char === "\n";
}

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9" && char !== "";
}

function isNameStart(char: string): boolean {
  return (char >= "a" && char <= "z") || (char >= "A" && char <= "Z") || char === "_" || isLetterBeyondAscii(char);
}

function isLetterBeyondAscii(char: string): boolean {
  return char > "\u007f" && /\p{L}/u.test(char);
}
