import type { ErrorDetail } from "./api-error.ts";
import type { JsonValue } from "./json.ts";

/** Stands where a secret was. */
export const redactedText = "[redacted]";
/** Shorter values would blank ordinary words and digits all over a log line. */
const minLength = 4;

/**
 * Removes known secret values from anything that is about to leave the process, wherever they ended up: in a log line,
 * an error message, a progress step. It works by value because a secret seldom stays under the name it came in with.
 */
export class Redactor {
  readonly #uses = new Map<string, number>();
  /** The same values by their first characters: most texts contain no such beginning, and few of many values have it. */
  readonly #byStart = new Map<string, Set<string>>();

  /** Hides `values` until the result is disposed. The same value may be added many times. */
  add(values: Iterable<string>): Disposable {
    const added = [...values].flatMap(spellings);
    for (const value of added) {
      this.#uses.set(value, (this.#uses.get(value) ?? 0) + 1);
      const start = startOf(value);
      const same = this.#byStart.get(start);
      if (same === undefined) {
        this.#byStart.set(start, new Set([value]));
      } else {
        same.add(value);
      }
    }
    let active = true;
    return {
      [Symbol.dispose]: () => {
        if (active) {
          active = false;
          this.#remove(added);
        }
      },
    };
  }

  redact(text: string): string {
    return replaceAll(text, this.#foundIn(text));
  }

  redactJson<T extends JsonValue>(value: T): T;
  redactJson(value: JsonValue): JsonValue {
    return this.#uses.size === 0 ? value : replaceIn(value, this.#foundIn(textsIn(value).join("\n")));
  }

  /** An error with everything that it contains. Targets that are ids stay: they are stored and shown as they are. */
  redactError(detail: ErrorDetail): ErrorDetail {
    return this.#uses.size === 0
      ? detail
      : replaceInError(detail, this.#foundIn(textsIn(detail as unknown as JsonValue).join("\n")));
  }

  /** Hidden values that the text contains, longest first, so that one that contains another disappears whole. */
  #foundIn(text: string): string[] {
    const found: string[] = [];
    for (const start of this.#startsIn(text)) {
      const values = this.#byStart.get(start) ?? new Set();
      found.push(...(values.size < manyValues ? valuesIn(text, values) : valuesAt(text, start, values)));
    }
    return found.sort((a, b) => b.length - a.length);
  }

  /** The beginnings of hidden values that the text contains. */
  *#startsIn(text: string): Iterable<string> {
    if (this.#byStart.size < fewStarts) {
      for (const start of this.#byStart.keys()) {
        if (text.includes(start)) {
          yield start;
        }
      }
      return;
    }
    const seen = new Set<string>();
    for (let at = 0; at + minLength <= text.length; at += 1) {
      const start = text.slice(at, at + minLength);
      if (this.#byStart.has(start) && !seen.has(start)) {
        seen.add(start);
        yield start;
      }
    }
  }

  #remove(values: readonly string[]): void {
    for (const value of values) {
      const left = (this.#uses.get(value) ?? 0) - 1;
      if (left > 0) {
        this.#uses.set(value, left);
        continue;
      }
      this.#uses.delete(value);
      const same = this.#byStart.get(startOf(value));
      same?.delete(value);
      if (same?.size === 0) {
        this.#byStart.delete(startOf(value));
      }
    }
  }
}

/** Up to so many are searched for one by one, which is fastest where there are few. */
const fewStarts = 64;
/** From so many on, the text is looked at wherever one of them could begin. */
const manyValues = 1_000;
/** Longer values are searched for in any case: there cannot be many of them. */
const longValue = 256;

function* valuesIn(text: string, values: Iterable<string>): Iterable<string> {
  for (const value of values) {
    if (value.length <= text.length && text.includes(value)) {
      yield value;
    }
  }
}

/** @param values which all begin with `start`. */
function* valuesAt(text: string, start: string, values: ReadonlySet<string>): Iterable<string> {
  const lengths = new Set<number>();
  const long: string[] = [];
  for (const value of values) {
    if (value.length > longValue) {
      long.push(value);
    } else {
      lengths.add(value.length);
    }
  }
  yield* valuesIn(text, long);
  const seen = new Set<string>();
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    for (const length of lengths) {
      const part = text.slice(at, at + length);
      if (values.has(part) && !seen.has(part)) {
        seen.add(part);
        yield part;
      }
    }
  }
}

function startOf(value: string): string {
  return value.slice(0, minLength);
}

/** One by one: in a regular expression a long secret would be too much, and the refusal would quote it. */
function replaceAll(text: string, values: readonly string[]): string {
  return values.reduce((redacted, value) => redacted.replaceAll(value, redactedText), text);
}

function replaceIn(value: JsonValue, hidden: readonly string[]): JsonValue {
  if (hidden.length === 0) {
    return value;
  }
  if (typeof value === "string") {
    return replaceAll(value, hidden);
  }
  if (Array.isArray(value)) {
    return value.map((item) => replaceIn(item, hidden));
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [replaceAll(key, hidden), replaceIn(item, hidden)]),
    );
  }
  return value;
}

function replaceInError(detail: ErrorDetail, hidden: readonly string[]): ErrorDetail {
  const { message, target, details, additionalInfo } = detail;
  return {
    ...detail,
    message: replaceAll(message, hidden),
    ...(target === undefined || target.startsWith("/") ? {} : { target: replaceAll(target, hidden) }),
    ...(details === undefined ? {} : { details: details.map((inner) => replaceInError(inner, hidden)) }),
    ...(additionalInfo === undefined
      ? {}
      : { additionalInfo: additionalInfo.map(({ type, info }) => ({ type, info: replaceIn(info, hidden) })) }),
  };
}

/** Every text of a value, keys too. */
function textsIn(value: JsonValue): string[] {
  const texts: string[] = [];
  const waiting: JsonValue[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") {
      texts.push(next);
    } else if (typeof next === "object" && next !== null) {
      for (const [key, member] of Object.entries(next)) {
        texts.push(key);
        waiting.push(member);
      }
    }
  }
  return texts;
}

/** Looks the same in JSON and in a URL. */
const plain = /^[\w.~-]{1,1000}$/;

/** The forms in which one value shows up in text: itself, inside JSON, in a URL, and in base64. */
function spellings(value: string): string[] {
  if (value.length < minLength) {
    return [];
  }
  if (plain.test(value)) {
    return [value, btoa(value)];
  }
  const forms = new Set([
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    toBase64(value),
  ]);
  return [...forms];
}

// oxlint-disable-next-line no-control-regex -- all of ASCII
const ascii = /^[\0-\x7f]*$/;

/** A multiple of three, so that the pieces fit together; more arguments than this could exhaust the stack. */
const base64Piece = 12_288;

function toBase64(value: string): string {
  if (ascii.test(value)) {
    return btoa(value);
  }
  const bytes = new TextEncoder().encode(value);
  let text = "";
  for (let start = 0; start < bytes.length; start += base64Piece) {
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + base64Piece)));
  }
  return text;
}
