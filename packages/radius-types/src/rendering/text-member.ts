import type { JsonObject } from "@rad/core";

/** A member that is text; empty when there is none, or something else. */
export function textMember(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}
