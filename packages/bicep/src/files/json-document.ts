import { parseJson, TemplateError } from "@rad/templates";
import type { Value } from "@rad/templates";

export type JsonRead = { readonly value: Value } | { readonly error: string };

/** Parses JSON with comments; what is wrong with the text comes back as a sentence. */
export function readJson(text: string): JsonRead {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    if (error instanceof TemplateError) {
      return { error: error.message };
    }
    throw error;
  }
}

export function asObject(value: Value | undefined): ReadonlyMap<string, Value> | undefined {
  return value instanceof Map ? value : undefined;
}

export function asArray(value: Value | undefined): readonly Value[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

export function asString(value: Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function asBoolean(value: Value | undefined): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** A whole number that JavaScript can count with. */
export function asNumber(value: Value | undefined): number | undefined {
  return typeof value === "bigint" ? Number(value) : undefined;
}

/** A member of what may be an object. */
export function member(value: Value | undefined, name: string): Value | undefined {
  return asObject(value)?.get(name);
}
