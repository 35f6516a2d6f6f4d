import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject } from "@rad/core/json";

/**
 * An error object in which no `message` is itself an error written as JSON: what passes an error on often wraps it like
 * that, level by level. The inner error becomes the first of the details, and its message that of the outer one.
 */
export function unfoldError(error: JsonObject): JsonObject {
  const { details } = error;
  const own = Array.isArray(details)
    ? details.map((detail) => (isJsonObject(detail) ? unfoldError(detail) : detail))
    : [];
  const folded = foldedError(error["message"]);
  if (folded !== undefined) {
    const inner = unfoldError(folded);
    return { ...error, message: inner["message"] ?? null, details: [inner, ...own] };
  }
  return Array.isArray(details) ? { ...error, details: own } : error;
}

/** The error that a message holds: bare, or as the body of an answer. */
function foldedError(message: JsonValue | undefined): JsonObject | undefined {
  if (typeof message !== "string" || !message.trimStart().startsWith("{")) {
    return undefined;
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(message);
  } catch {
    return undefined; // a text that begins like JSON
  }
  const candidate = isJsonObject(parsed) ? (parsed["error"] ?? parsed) : undefined;
  const isError =
    isJsonObject(candidate) && typeof candidate["code"] === "string" && typeof candidate["message"] === "string";
  return isError ? candidate : undefined;
}
