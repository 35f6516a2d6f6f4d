import type { Value } from "@rad/templates";
import { asArray, asObject } from "./json-document.ts";

/**
 * What a JSON path selects, in document order; nothing when the path itself is not valid. The leading `$` may be left
 * out. Supported: `.name`, `['name', 'other']`, `[0]`, `[-1]`, `[0, 2]`, `[1:3:2]`, `*`, `..` and filters
 * `[?(@.a > 1 && @.b)]`.
 */
export function selectByPath(document: Value, path: string): readonly Value[] | undefined {
  const steps = new PathReader(path).read();
  return steps?.reduce<readonly Value[]>((values, step) => values.flatMap((value) => step(value)), [document]);
}

type Step = (value: Value) => readonly Value[];
type Test = (value: Value) => boolean;

class PathReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): readonly Step[] | undefined {
    this.#takeIf("$");
    const steps = this.#steps();
    return this.#at === this.#text.length ? steps : undefined;
  }

  /** Steps as far as they go; nothing when one of them is malformed. */
  #steps(): Step[] | undefined {
    const steps: Step[] = [];
    // A name may come first without its dot.
    if (this.#at === 0 && /^[A-Za-z_]/u.test(this.#text)) {
      steps.push(members([this.#name() ?? ""]));
    }
    for (;;) {
      if (this.#takeIf("..")) {
        steps.push(descendants);
        if (this.#peek() === "[") {
          continue;
        }
      } else if (!this.#takeIf(".")) {
        if (this.#peek() !== "[") {
          return steps;
        }
        const step = this.#brackets();
        if (step === undefined) {
          return undefined;
        }
        steps.push(step);
        continue;
      }
      const step = this.#takeIf("*") ? children : this.#namedStep();
      if (step === undefined) {
        return undefined;
      }
      steps.push(step);
    }
  }

  #namedStep(): Step | undefined {
    const name = this.#name();
    return name === undefined ? undefined : members([name]);
  }

  #name(): string | undefined {
    return this.#match(/[^\s.[\]()?*&|=<>!,'"]+/uy);
  }

  #brackets(): Step | undefined {
    this.#at += 1;
    this.#blanks();
    const step = this.#bracketContent();
    this.#blanks();
    return this.#takeIf("]") ? step : undefined;
  }

  #bracketContent(): Step | undefined {
    if (this.#takeIf("*")) {
      return children;
    }
    if (this.#takeIf("?(")) {
      const test = this.#or();
      this.#blanks();
      return test !== undefined && this.#takeIf(")")
        ? (value) => children(value).filter((item) => test(item))
        : undefined;
    }
    const quoted = this.#quoted();
    if (quoted !== undefined) {
      const names = [quoted];
      while (this.#separator()) {
        const next = this.#quoted();
        if (next === undefined) {
          return undefined;
        }
        names.push(next);
      }
      return members(names);
    }
    return this.#numbers();
  }

  #numbers(): Step | undefined {
    const first = this.#integer();
    if (this.#peek() === ":") {
      const bounds: (number | undefined)[] = [first];
      while (this.#takeIf(":")) {
        bounds.push(this.#integer());
      }
      const [start, end, step = 1] = bounds;
      return bounds.length > 3 || step <= 0 ? undefined : slice(start, end, step);
    }
    if (first === undefined) {
      return undefined;
    }
    const indexes = [first];
    while (this.#separator()) {
      const next = this.#integer();
      if (next === undefined) {
        return undefined;
      }
      indexes.push(next);
    }
    return (value) => indexes.flatMap((index) => present(asArray(value)?.at(index)));
  }

  #or(): Test | undefined {
    const tests = this.#list("||", () => this.#and());
    return tests === undefined ? undefined : (value) => tests.some((test) => test(value));
  }

  #and(): Test | undefined {
    const tests = this.#list("&&", () => this.#comparison());
    return tests === undefined ? undefined : (value) => tests.every((test) => test(value));
  }

  #list(operator: string, part: () => Test | undefined): Test[] | undefined {
    const tests: Test[] = [];
    do {
      this.#blanks();
      const test = part();
      if (test === undefined) {
        return undefined;
      }
      tests.push(test);
      this.#blanks();
    } while (this.#takeIf(operator));
    return tests;
  }

  #comparison(): Test | undefined {
    const left = this.#operand();
    this.#blanks();
    const operator = this.#match(/==|!=|<=|>=|<|>/uy);
    if (left === undefined) {
      return undefined;
    }
    if (operator === undefined) {
      return (value) => left(value).length > 0;
    }
    this.#blanks();
    const right = this.#operand();
    return right === undefined
      ? undefined
      : (value) => left(value).some((one) => right(value).some((other) => compare(one, operator, other)));
  }

  #operand(): Step | undefined {
    if (this.#takeIf("@")) {
      const steps = this.#steps();
      return steps === undefined
        ? undefined
        : (value) => steps.reduce<readonly Value[]>((values, step) => values.flatMap((item) => step(item)), [value]);
    }
    const literal = this.#literal();
    return literal === undefined ? undefined : () => [literal];
  }

  #literal(): Value | undefined {
    const text = this.#quoted();
    if (text !== undefined) {
      return text;
    }
    const word = this.#match(/true|false|null|-?[0-9]+(?:\.[0-9]+)?/uy);
    switch (word) {
      case undefined:
        return undefined;
      case "true":
        return true;
      case "false":
        return false;
      case "null":
        return null;
      default:
        return Number(word);
    }
  }

  #quoted(): string | undefined {
    const raw = this.#match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/uy);
    return raw?.slice(1, -1).replaceAll(/\\(.)/gu, "$1");
  }

  #integer(): number | undefined {
    this.#blanks();
    const digits = this.#match(/-?[0-9]{1,9}/uy);
    this.#blanks();
    return digits === undefined ? undefined : Number(digits);
  }

  #separator(): boolean {
    this.#blanks();
    const found = this.#takeIf(",");
    this.#blanks();
    return found;
  }

  #blanks(): void {
    this.#match(/[ \t]+/uy);
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #takeIf(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) {
      return false;
    }
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

function members(names: readonly string[]): Step {
  return (value) => names.flatMap((name) => present(asObject(value)?.get(name)));
}

function children(value: Value): readonly Value[] {
  const object = asObject(value);
  return object === undefined ? (asArray(value) ?? []) : Array.from(object.values());
}

/** The value and everything inside of it, outer things first. */
function descendants(value: Value): readonly Value[] {
  const found: Value[] = [];
  const waiting: Value[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    for (const child of children(next).toReversed()) {
      waiting.push(child);
    }
  }
  return found;
}

function slice(start: number | undefined, end: number | undefined, step: number): Step {
  return (value) => (asArray(value) ?? []).slice(start, end).filter((_, index) => index % step === 0);
}

function present(value: Value | undefined): readonly Value[] {
  return value === undefined ? [] : [value];
}

function compare(left: Value, operator: string, right: Value): boolean {
  if (operator === "==" || operator === "!=") {
    const equal = isNumber(left) && isNumber(right) ? Number(left) === Number(right) : left === right;
    return equal === (operator === "==");
  }
  if (!(isNumber(left) && isNumber(right)) && !(typeof left === "string" && typeof right === "string")) {
    return false;
  }
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    default:
      return left >= right;
  }
}

function isNumber(value: Value): value is bigint | number {
  return typeof value === "bigint" || typeof value === "number";
}
