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
  /** Longest first, so that a secret that contains another one disappears whole. */
  #ordered: readonly string[] | undefined;

  /** Hides `values` until the result is disposed. The same value may be added many times. */
  add(values: Iterable<string>): Disposable {
    const added = [...values].flatMap(spellings);
    for (const value of added) {
      this.#uses.set(value, (this.#uses.get(value) ?? 0) + 1);
    }
    this.#ordered = undefined;
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
    if (this.#uses.size === 0) {
      return text;
    }
    this.#ordered ??= [...this.#uses.keys()].sort((a, b) => b.length - a.length);
    // Searched for one by one: in a regular expression a long secret would be too much, and the refusal would quote it.
    let redacted = text;
    for (const value of this.#ordered) {
      if (value.length <= redacted.length && redacted.includes(value)) {
        redacted = redacted.replaceAll(value, redactedText);
      }
    }
    return redacted;
  }

  redactJson<T extends JsonValue>(value: T): T;
  redactJson(value: JsonValue): JsonValue {
    if (this.#uses.size === 0) {
      return value;
    }
    if (typeof value === "string") {
      return this.redact(value);
    }
    if (Array.isArray(value)) {
      return value.map((item) => this.redactJson(item));
    }
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.redact(key), this.redactJson(item)]));
    }
    return value;
  }

  /** An error with everything that it contains. Targets that are ids stay: they are stored and shown as they are. */
  redactError(detail: ErrorDetail): ErrorDetail {
    const { message, target, details, additionalInfo } = detail;
    return {
      ...detail,
      message: this.redact(message),
      ...(target === undefined || target.startsWith("/") ? {} : { target: this.redact(target) }),
      ...(details === undefined ? {} : { details: details.map((inner) => this.redactError(inner)) }),
      ...(additionalInfo === undefined
        ? {}
        : { additionalInfo: additionalInfo.map(({ type, info }) => ({ type, info: this.redactJson(info) })) }),
    };
  }

  #remove(values: readonly string[]): void {
    for (const value of values) {
      const left = (this.#uses.get(value) ?? 0) - 1;
      if (left > 0) {
        this.#uses.set(value, left);
      } else {
        this.#uses.delete(value);
      }
    }
    this.#ordered = undefined;
  }
}

/** The forms in which one value shows up in text: itself, inside JSON, in a URL, and in base64. */
function spellings(value: string): string[] {
  if (value.length < minLength) {
    return [];
  }
  const forms = new Set([
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    toBase64(value),
  ]);
  return [...forms];
}

/** A multiple of three, so that the pieces fit together; more arguments than this could exhaust the stack. */
const base64Piece = 12_288;

function toBase64(value: string): string {
  const bytes = new TextEncoder().encode(value);
  let text = "";
  for (let start = 0; start < bytes.length; start += base64Piece) {
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + base64Piece)));
  }
  return text;
}
