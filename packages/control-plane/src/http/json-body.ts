import { ApiError, type JsonValue } from "@rad/core";

/** Keys that turn into something else than data when a careless merge meets them. */
const poison: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** @throws ApiError for text that is not JSON, nests too deep, or carries prototype keys. */
export function parseJsonBody(text: string, maxDepth: number): JsonValue | undefined {
  if (text.trim() === "") {
    return undefined;
  }
  let value: JsonValue;
  try {
    // Some editors and shells begin files with a byte order mark.
    value = JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text) as JsonValue;
  } catch (error) {
    throw new ApiError("InvalidRequestContent", "The request body is not valid JSON.", { cause: error });
  }
  checkShape(value, maxDepth);
  return value;
}

/**
 * Recursion is safe here: it stops at `depthLeft`, however deep the value goes.
 * @throws ApiError for a value that nests too deep or carries prototype keys.
 */
export function checkShape(value: JsonValue, depthLeft: number): void {
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
