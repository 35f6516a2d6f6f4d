import {
  ApiError,
  inSlices,
  type JsonLimits,
  type JsonValue,
  maxMembers,
  Pace,
  prototypeKeys,
  readJson,
  type Sliced,
  tooManyMembers,
  tooManyValues,
} from "@rad/core";
import { isUtf8 } from "node:buffer";

/**
 * Reads a JSON body; a large one in slices.
 * @returns `undefined` when it is empty.
 * @throws ApiError for bytes that are not UTF-8, text that is not JSON, and everything that `readJson` refuses.
 */
export function parseJsonBody(
  bytes: Buffer,
  limits: JsonLimits,
): JsonValue | undefined | Promise<JsonValue | undefined> {
  if (!isUtf8(bytes)) {
    throw new ApiError(
      "InvalidRequestContent",
      `The request body is not UTF-8: byte ${firstInvalidByte(bytes) + 1} does not belong there.`,
    );
  }
  const text = bytes.toString("utf8");
  // Some editors and shells begin files with a byte order mark.
  return inSlices(readJson(text.startsWith("\uFEFF") ? text.slice(1) : text, limits));
}

/** The index of the byte that cannot follow those before it; the length where a character is cut off. */
function firstInvalidByte(bytes: Buffer): number {
  let at = validUpTo(bytes);
  while (at < bytes.length) {
    const begin = at;
    const lead = bytes[at] ?? 0;
    at += 1;
    const following = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    while (at <= begin + following && ((bytes[at] ?? 0) & 0xc0) === 0x80) {
      at += 1;
    }
    // The platform knows the rules about overlong forms, surrogates and the end of Unicode.
    if (following > 0 && !isUtf8(bytes.subarray(begin, at))) {
      return at > begin + following || lead < 0xc2 || lead > 0xf4 ? begin : at;
    }
  }
  return at;
}

const chunkBytes = 64 * 1024;

/** Where the chunk begins that is not valid: to look at each character of a large body would take long. */
function validUpTo(bytes: Buffer): number {
  let at = 0;
  while (at + chunkBytes < bytes.length) {
    let end = at + chunkBytes;
    while (end > at && ((bytes[end] ?? 0) & 0xc0) === 0x80) {
      end -= 1; // not within a character
    }
    if (end === at || !isUtf8(bytes.subarray(at, end))) {
      return at;
    }
    at = end;
  }
  return at;
}

/**
 * The rules of a body for values that are not read from text.
 * @throws ApiError for a value that nests too deep, has too many parts, prototype keys, half characters, or a number that
 * JSON could not give back.
 */
export function* checkShape(value: JsonValue, limits: JsonLimits): Sliced<void> {
  yield* checkPart(value, limits.maxDepth, { pace: new Pace(), maxValues: limits.maxValues, values: 0 });
}

interface Check {
  readonly pace: Pace;
  readonly maxValues: number;
  values: number;
}

/** Recursion is safe here: it stops at `depthLeft`, however deep the value goes. */
function* checkPart(value: JsonValue, depthLeft: number, check: Check): Sliced<void> {
  check.values += 1;
  if (check.values > check.maxValues) {
    throw tooManyValues(check.maxValues);
  }
  const pause = check.pace.spend();
  if (pause !== undefined) {
    yield pause;
  }
  if (typeof value === "string" ? !value.isWellFormed() : typeof value === "number" && !Number.isFinite(value)) {
    const what = typeof value === "string" ? "a text with half of a surrogate pair" : "a number that is too large";
    throw new ApiError("InvalidRequestContent", `The request body has ${what}, which cannot be stored.`);
  }
  if (typeof value !== "object" || value === null) {
    return;
  }
  if (depthLeft === 0) {
    throw new ApiError("InvalidRequestContent", "The request body is nested too deep.");
  }
  if (Array.isArray(value)) {
    for (const item of value) {
      yield* checkPart(item, depthLeft - 1, check);
    }
    return;
  }
  const keys = Object.keys(value);
  if (keys.length > maxMembers) {
    throw tooManyMembers();
  }
  for (const key of keys) {
    if (prototypeKeys.has(key)) {
      throw new ApiError("InvalidRequestContent", `The request body may not use the key '${key}'.`);
    }
    yield* checkPart(value[key] ?? null, depthLeft - 1, check);
  }
}
