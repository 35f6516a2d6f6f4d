import { ApiError } from "@rad/core";
import type { JsonObject } from "@rad/core";

/** Whether the server has nothing of the kind under this URL any more, which says nothing about the object. */
export function isUnserved(error: unknown): boolean {
  return error instanceof ApiError && error.code === "NotFound" && error.target?.startsWith("/api") === true;
}

/** Resolves to `undefined` when there is no such object. */
export async function unlessAbsent(request: Promise<JsonObject>): Promise<JsonObject | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ApiError && error.code === "NotFound" && !isUnserved(error)) {
      return undefined;
    }
    throw error;
  }
}
