import type { ErrorDetail } from "./api-error.ts";
import type { JsonValue } from "./json.ts";
import { Pace } from "./main-thread.ts";
import { inSlices, type Sliced } from "./sliced.ts";
import { xmlSpellings } from "./xml-spellings.ts";

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
  /** Values that need not be hidden any longer. */
  readonly #leaving: (readonly string[])[] = [];
  readonly #pace = new Pace();
  #isRemoving = false;

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
    return this.#replacer(text)(text);
  }

  redactJson<T extends JsonValue>(value: T): T;
  redactJson(value: JsonValue): JsonValue {
    return this.#uses.size === 0 ? value : replaceIn(value, this.#replacer(textsIn(value).join("\n")));
  }

  /** An error with everything that it contains. Targets that are ids stay: they are stored and shown as they are. */
  redactError(detail: ErrorDetail): ErrorDetail {
    return this.#uses.size === 0
      ? detail
      : replaceInError(detail, this.#replacer(textsIn(detail as unknown as JsonValue).join("\n")));
  }

  /** Takes hidden values out of any part of `text`: all of it, where looking for them would keep others waiting. */
  #replacer(text: string): Replace {
    const found = this.#foundIn(text);
    if (found === undefined || tooMuchToReplace(text, found)) {
      return () => redactedText;
    }
    return found.length === 0 ? (part) => part : (part) => replaceAll(part, found);
  }

  /**
   * Hidden values that the text contains, longest first, so that one that contains another disappears whole. `undefined`
   * where it would take too long to tell.
   */
  #foundIn(text: string): string[] | undefined {
    const all: string[] = [];
    let looks = 0;
    for (const start of this.#startsIn(text)) {
      const search = searchIn(text, start, this.#byStart.get(start) ?? new Set());
      looks += search.looks;
      if (looks > mostLooks) {
        return undefined;
      }
      for (const value of search.find()) {
        all.push(value);
      }
    }
    return all.sort((a, b) => b.length - a.length);
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

  /** Many are removed over several turns of the event loop; hidden a little longer, they do no harm. */
  #remove(values: readonly string[]): void {
    this.#leaving.push(values);
    if (!this.#isRemoving) {
      this.#isRemoving = true;
      void inSlices(this.#removeLeaving());
    }
  }

  *#removeLeaving(): Sliced<void> {
    for (let values = this.#leaving.pop(); values !== undefined; values = this.#leaving.pop()) {
      for (const value of values) {
        this.#removeUse(value);
        const pause = this.#pace.spend();
        if (pause !== undefined) {
          yield pause;
        }
      }
    }
    this.#isRemoving = false;
  }

  #removeUse(value: string): void {
    const left = (this.#uses.get(value) ?? 0) - 1;
    if (left > 0) {
      this.#uses.set(value, left);
      return;
    }
    this.#uses.delete(value);
    const same = this.#byStart.get(startOf(value));
    same?.delete(value);
    if (same?.size === 0) {
      this.#byStart.delete(startOf(value));
    }
  }
}

/** Up to so many are searched for one by one, which is fastest where there are few. */
const fewStarts = 64;
/** Characters that may have to be compared at worst, where the simple ways of looking are taken. */
const fewComparisons = 5_000_000;
/** Looks at a place of a text, each of which takes some 20 nanoseconds. */
const mostLooks = 5_000_000;
/** Characters that replacing may have to compare at worst. */
const mostComparisons = 500_000_000;

type Replace = (text: string) => string;

interface Search {
  readonly looks: number;
  readonly find: () => Iterable<string>;
}

/** The way of looking that takes least. @param values which all begin with `start`. */
function searchIn(text: string, start: string, values: ReadonlySet<string>): Search {
  const lengths = new Set<number>();
  let characters = 0;
  for (const { length } of values) {
    if (length <= text.length) {
      lengths.add(length);
      characters += length;
    }
  }
  if (text.length * characters < fewComparisons) {
    return { looks: values.size, find: () => valuesIn(text, values) };
  }
  const charactersOfLengths = lengths.values().reduce((sum, length) => sum + length, 0);
  if (text.length * charactersOfLengths < fewComparisons) {
    return { looks: text.length * lengths.size, find: () => valuesAt(text, start, values, lengths) };
  }
  return { looks: text.length * lengths.size + characters, find: () => valuesByHash(text, values) };
}

function tooMuchToReplace(text: string, found: readonly string[]): boolean {
  const characters = found.reduce((sum, value) => sum + value.length, 0);
  return text.length * found.length > mostLooks || text.length * characters > mostComparisons;
}

/** For few or short values: searching takes the product of both lengths at worst. */
function* valuesIn(text: string, values: Iterable<string>): Iterable<string> {
  for (const value of values) {
    if (value.length <= text.length && text.includes(value)) {
      yield value;
    }
  }
}

/** For many values of few lengths. */
function* valuesAt(
  text: string,
  start: string,
  values: ReadonlySet<string>,
  lengths: ReadonlySet<number>,
): Iterable<string> {
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

/** For whatever else somebody may have made up: one look per place and length, however alike text and values are. */
function* valuesByHash(text: string, values: Iterable<string>): Iterable<string> {
  const byLength = new Map<number, Map<number, string[]>>();
  for (const value of values) {
    if (value.length <= text.length) {
      const hashes = byLength.get(value.length) ?? new Map<number, string[]>();
      byLength.set(value.length, hashes);
      const hash = hashesOf(value).at(-1) ?? 0;
      hashes.set(hash, [...(hashes.get(hash) ?? []), value]);
    }
  }
  const until = hashesOf(text);
  for (const [length, hashes] of byLength) {
    let power = 1;
    for (let count = 0; count < length; count += 1) {
      power = modulo(power * base);
    }
    for (let at = 0; at + length <= text.length && hashes.size > 0; at += 1) {
      const hash = modulo((until[at + length] ?? 0) + prime - modulo((until[at] ?? 0) * power));
      const found = hashes.get(hash)?.filter((value) => text.startsWith(value, at)) ?? [];
      if (found.length > 0) {
        yield* found;
        hashes.delete(hash); // the same hash for two values of one length: not in the life of this process
      }
    }
  }
}

/** Products of two are exact. Nobody outside can know the base, and so make texts up that have the same hash. */
const prime = 67_108_859;
const base = 1_000 + Math.floor(Math.random() * (prime - 2_000));

/** Of each beginning of the text, the empty one first. */
function hashesOf(text: string): Float64Array {
  const hashes = new Float64Array(text.length + 1);
  for (let at = 0; at < text.length; at += 1) {
    hashes[at + 1] = modulo((hashes[at] ?? 0) * base + text.charCodeAt(at) + 1);
  }
  return hashes;
}

/** Much faster than `%` on numbers of that size. */
function modulo(value: number): number {
  const rest = value - Math.floor(value / prime) * prime;
  return rest < 0 ? rest + prime : rest >= prime ? rest - prime : rest;
}

function startOf(value: string): string {
  return value.slice(0, minLength);
}

/** One by one: in a regular expression a long secret would be too much, and the refusal would quote it. */
function replaceAll(text: string, values: readonly string[]): string {
  return values.reduce((redacted, value) => redacted.replaceAll(value, redactedText), text);
}

function replaceIn(value: JsonValue, replace: Replace): JsonValue {
  if (typeof value === "string") {
    return replace(value);
  }
  if (Array.isArray(value)) {
    return value.map((item) => replaceIn(item, replace));
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [replace(key), replaceIn(item, replace)]));
  }
  return value;
}

function replaceInError(detail: ErrorDetail, replace: Replace): ErrorDetail {
  const { message, target, details, additionalInfo } = detail;
  return {
    ...detail,
    message: replace(message),
    ...(target === undefined || target.startsWith("/") ? {} : { target: replace(target) }),
    ...(details === undefined ? {} : { details: details.map((inner) => replaceInError(inner, replace)) }),
    ...(additionalInfo === undefined
      ? {}
      : { additionalInfo: additionalInfo.map(({ type, info }) => ({ type, info: replaceIn(info, replace) })) }),
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

/** Looks the same in JSON, in XML and in a URL. */
const plain = /^[\w.~-]{1,1000}$/;

/** The forms in which one value shows up in text: itself, inside JSON or XML, in a URL, and in base64. */
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
    ...xmlSpellings(value),
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
