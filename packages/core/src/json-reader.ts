import { ApiError } from "./api-error.ts";
import { type JsonObject, type JsonValue, setMember } from "./json.ts";
import { formatPath, type PathSegment } from "./json-path.ts";
import { Pace } from "./main-thread.ts";
import type { Sliced } from "./sliced.ts";

export interface JsonLimits {
  /** How many lists and objects may be inside each other. */
  readonly maxDepth: number;
  /** Everything that is read counts: texts, numbers, lists, objects. */
  readonly maxValues: number;
}

/** Keys that turn into something else than data when a careless merge meets them. */
export const prototypeKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Native reading of so much takes well below a millisecond. */
const fewCharacters = 64 * 1024;

/** Reads text that this program has printed: the same as `JSON.parse`, in slices where it is much. */
export function* readOwnJson(text: string): Sliced<JsonValue> {
  return text.length < fewCharacters
    ? (JSON.parse(text) as JsonValue)
    : ((yield* read(text, { maxDepth: Infinity, maxValues: Infinity, isOwn: true })) ?? null);
}

interface Rules extends JsonLimits {
  /** Nothing is refused that JSON allows. */
  readonly isOwn: boolean;
}

/** A list or object that has not ended yet. */
interface Open {
  readonly list: JsonValue[] | undefined;
  readonly object: JsonObject | undefined;
  /** The member that is being read, and how many there are with it. */
  key: string;
  members: number;
}

/** Copying an object cannot be divided, and takes far longer per member than copying a list. */
export const maxMembers = 100_000;

/** So much text takes about as long as reading one value. */
const charactersPerStep = 64;

/**
 * Reads JSON as `JSON.parse` does, in slices, and refuses what could not be given back as it was sent: keys that are there
 * twice, numbers that lose digits, texts that are no Unicode; also keys that harm careless code.
 * @returns `undefined` for text that is empty or blank.
 * @throws ApiError `InvalidRequestContent`, or `RequestEntityTooLarge` for too many values.
 */
export function* readJson(text: string, { maxDepth, maxValues }: JsonLimits): Sliced<JsonValue | undefined> {
  const value = text.length < Math.min(fewCharacters, maxValues) ? readCompact(text, maxDepth) : undefined;
  return value ?? (yield* read(text, { maxDepth, maxValues, isOwn: false }));
}

/** An object without white space, as programs print them, that holds nothing to be looked at twice. */
const compactStart = '{"';
const suspicious = /\\|__proto__|constructor|prototype/;

/**
 * Lets the platform read what most programs send, several times as fast. What is printed as it was sent has no key twice
 * and no number that loses digits.
 * @returns nothing for what is better read with care.
 */
function readCompact(text: string, maxDepth: number): JsonValue | undefined {
  if (!text.startsWith(compactStart) || suspicious.test(text)) {
    return undefined;
  }
  try {
    const value = JSON.parse(text) as JsonValue;
    return JSON.stringify(value) === text && nestsWithin(maxDepth, value) ? value : undefined;
  } catch {
    return undefined; // there is more to say about it
  }
}

function nestsWithin(maxDepth: number, value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) {
    return true;
  }
  return maxDepth > 0 && Object.values(value).every((member) => nestsWithin(maxDepth - 1, member));
}

function* read(text: string, { maxDepth, maxValues, isOwn }: Rules): Sliced<JsonValue | undefined> {
  const pace = new Pace();
  const around: Open[] = [];
  const scanner = new JsonScanner(text, around, isOwn);
  if (scanner.peek() === undefined) {
    return undefined;
  }
  for (let values = 1; ; values += 1) {
    if (values > maxValues) {
      throw tooManyValues(maxValues);
    }
    const begin = scanner.at;
    let value: JsonValue;
    const opened = scanner.openContainer();
    if (opened === undefined) {
      value = scanner.readScalar();
    } else {
      if (around.length === maxDepth) {
        throw new ApiError("InvalidRequestContent", "The request body is nested too deep.");
      }
      around.push(opened);
      if (!scanner.closes(opened)) {
        scanner.readKey(opened);
        continue;
      }
      around.pop();
      value = opened.list ?? opened.object ?? null;
    }
    const pause = pace.spend(1 + (scanner.at - begin) / charactersPerStep);
    if (pause !== undefined) {
      yield pause;
    }
    // Everything that ends with this value ends here.
    for (;;) {
      const container = around.at(-1);
      if (container === undefined) {
        scanner.requireEnd();
        return value;
      }
      if (container.object !== undefined) {
        setMember(container.object, container.key, value);
      }
      container.list?.push(value);
      if (!scanner.closes(container)) {
        scanner.readComma();
        scanner.readKey(container);
        break;
      }
      around.pop();
      value = container.list ?? container.object ?? null;
    }
  }
}

export function tooManyValues(maxValues: number): ApiError {
  return new ApiError(
    "RequestEntityTooLarge",
    `The request body has more than ${maxValues} values. Send fewer at once, or several of them as one text.`,
  );
}

export function tooManyMembers(): ApiError {
  return new ApiError(
    "RequestEntityTooLarge",
    `The request body has an object of more than ${maxMembers} members. Send several smaller ones, or a list.`,
  );
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Shorter ones lose nothing. */
const longInteger = /^-?\d{16,}$/;
const literals: readonly (readonly [string, JsonValue])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

/** Where the reader is in the text, and the words that begin there. */
class JsonScanner {
  at = 0;
  readonly #text: string;
  readonly #around: readonly Open[];
  readonly #isOwn: boolean;

  constructor(text: string, around: readonly Open[], isOwn: boolean) {
    this.#text = text;
    this.#around = around;
    this.#isOwn = isOwn;
  }

  /** The next character that is no white space. */
  peek(): number | undefined {
    for (; this.at < this.#text.length; this.at += 1) {
      const code = this.#text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
        return code;
      }
    }
    return undefined;
  }

  openContainer(): Open | undefined {
    const code = this.peek();
    if (code !== openList && code !== openObject) {
      return undefined;
    }
    this.at += 1;
    return code === openList
      ? { list: [], object: undefined, key: "", members: 0 }
      : { list: undefined, object: {}, key: "", members: 0 };
  }

  closes({ list }: Open): boolean {
    if (this.peek() !== (list === undefined ? closeObject : closeList)) {
      return false;
    }
    this.at += 1;
    return true;
  }

  readComma(): void {
    this.#take(comma);
  }

  /** The name of the next member; nothing in a list. */
  readKey(container: Open): void {
    if (container.object === undefined) {
      return;
    }
    container.key = this.#readText();
    container.members += 1;
    this.#take(colon);
    if (this.#isOwn) {
      return;
    }
    if (container.members > maxMembers) {
      throw tooManyMembers();
    }
    if (Object.hasOwn(container.object, container.key)) {
      throw new ApiError("InvalidRequestContent", `The request body has '${this.#path()}' twice.`);
    }
    if (prototypeKeys.has(container.key)) {
      throw new ApiError("InvalidRequestContent", `The request body may not use the key '${container.key}'.`);
    }
  }

  readScalar(): JsonValue {
    const code = this.peek();
    if (code === quote) {
      return this.#readText();
    }
    for (const [word, value] of literals) {
      if (this.#text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.#readNumber();
  }

  requireEnd(): void {
    if (this.peek() !== undefined) {
      throw this.#unexpected();
    }
  }

  #readText(): string {
    this.#take(quote);
    const begin = this.at;
    let isEscaped = false;
    for (; ; this.at += 1) {
      const code = this.#text.charCodeAt(this.at);
      if (code === quote) {
        break;
      }
      if (code === backslash) {
        isEscaped = true;
        this.at += 1;
      } else if (!(code >= 0x20)) {
        throw this.#unexpected(); // a control character, or NaN at the end
      }
    }
    this.at += 1;
    return isEscaped ? this.#unescape(begin) : this.#text.slice(begin, this.at - 1);
  }

  #unescape(begin: number): string {
    let value: string;
    try {
      value = JSON.parse(this.#text.slice(begin - 1, this.at)) as string;
    } catch {
      this.at = begin - 1;
      throw this.#unexpected();
    }
    if (!this.#isOwn && !value.isWellFormed()) {
      throw new ApiError(
        "InvalidRequestContent",
        `The text at '${this.#path()}' of the request body has half of a surrogate pair (\\ud800 to \\udfff), which cannot be stored.`,
      );
    }
    return value;
  }

  /** Numbers have 53 bits here. To store another one than was sent, and say that all is well, would be worse than no. */
  #readNumber(): number {
    number.lastIndex = this.at;
    const [source] = number.exec(this.#text) ?? [];
    if (source === undefined) {
      throw this.#unexpected();
    }
    this.at += source.length;
    const value = Number(source);
    if (this.#isOwn) {
      return value;
    }
    if (!Number.isFinite(value)) {
      throw new ApiError(
        "InvalidRequestContent",
        `The number at '${this.#path()}' of the request body is too large to be stored.`,
      );
    }
    if (source.length >= 16 && longInteger.test(source) && String(value) !== source) {
      throw new ApiError(
        "InvalidRequestContent",
        `The number ${source.slice(0, 40)} at '${this.#path()}' cannot be stored without losing digits. Send it as text.`,
      );
    }
    return value;
  }

  #take(code: number): void {
    if (this.peek() !== code) {
      throw this.#unexpected();
    }
    this.at += 1;
  }

  #path(): string {
    return formatPath(this.#around.map(({ list, key }): PathSegment => (list === undefined ? key : list.length)));
  }

  #unexpected(): ApiError {
    const where = this.at >= this.#text.length ? "it ends too early" : `unexpected character at ${this.at + 1}`;
    return new ApiError("InvalidRequestContent", `The request body is not valid JSON: ${where}.`);
  }
}
