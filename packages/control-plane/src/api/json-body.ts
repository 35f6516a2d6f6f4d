import { ApiError, type JsonValue } from "@rad/core";

/** Keys that turn into something else than data when a careless merge meets them. */
const poison: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** @throws ApiError for text that is not JSON, nests too deep, carries prototype keys, or numbers that would change. */
export function parseJsonBody(body: string, maxDepth: number): JsonValue | undefined {
  if (body.trim() === "") {
    return undefined;
  }
  // Some editors and shells begin files with a byte order mark.
  const text = body.startsWith("\uFEFF") ? body.slice(1) : body;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new ApiError("InvalidRequestContent", "The request body is not valid JSON.", { cause: error });
  }
  checkShape(value, maxDepth);
  if (longNumber.test(text)) {
    checkIntegers(text);
  }
  return value;
}

/** Shorter ones lose nothing, and few bodies have any that is longer. */
const longNumber = /\d{16}/;

/** Numbers have 53 bits here. To store another one than was sent, and say that all is well, would be worse than no. */
function checkIntegers(text: string): void {
  JSON.parse(text, (key: string, value: unknown, { source = "" }: { source?: string } = {}) => {
    if (typeof value === "number" && /^-?\d{16,}$/.test(source) && String(value) !== source) {
      const message = `The number ${source.slice(0, 40)} of '${key.slice(0, 100)}' cannot be stored without losing digits. Send it as text.`;
      throw new ApiError("InvalidRequestContent", message);
    }
    return value;
  });
}

/**
 * Recursion is safe here: it stops at `depthLeft`, however deep the value goes.
 * @throws ApiError for a value that nests too deep, carries prototype keys, or a number that JSON could not give back.
 */
export function checkShape(value: JsonValue, depthLeft: number): void {
  if (value === Infinity || value === -Infinity) {
    throw new ApiError("InvalidRequestContent", "The request body has a number that is too large to be stored.");
  }
  if (typeof value !== "object" || value === null) {
    return;
  }
  if (depthLeft === 0) {
    throw new ApiError("InvalidRequestContent", "The request body is nested too deep.");
  }
  if (Array.isArray(value)) {
    for (const item of value) {
      checkShape(item, depthLeft - 1);
    }
    return;
  }
  for (const key of Object.keys(value)) {
    if (poison.has(key)) {
      throw new ApiError("InvalidRequestContent", `The request body may not use the key '${key}'.`);
    }
    checkShape(value[key] ?? null, depthLeft - 1);
  }
}
