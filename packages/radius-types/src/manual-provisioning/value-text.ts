import type { JsonObject } from "@rad/core";

/** A value as it stands in a connection string; empty when absent. */
export function valueText(values: JsonObject, name: string): string {
  const value = values[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
