import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject, setMember } from "@rad/core";
import type { Product } from "../product.ts";

/**
 * Values that are read before anything is evaluated: sources of modules and arguments of backends. Terraform takes them as
 * they are; OpenTofu evaluates them like all others.
 */
export function staticValue(value: JsonValue, product: Product): JsonValue {
  return product === "opentofu" ? templateValue(value) : value;
}

/** The text of a `.tf.json` string that Terraform reads as `text`: strings there are templates. */
export function templateText(text: string): string {
  return text.replaceAll(/([$%])\{/gu, "$1$1{");
}

/** A value whose strings, and names of members, are data for Terraform at every depth. */
export function templateValue(value: JsonValue): JsonValue {
  if (typeof value === "string") {
    return templateText(value);
  }
  if (Array.isArray(value)) {
    return value.map((item) => templateValue(item));
  }
  return isJsonObject(value) ? mapMembers(value, templateText, (member) => templateValue(member)) : value;
}

export function mapMembers(
  object: JsonObject,
  nameOf: (name: string) => string,
  valueOf: (member: JsonValue, name: string) => JsonValue,
): JsonObject {
  const mapped: JsonObject = {};
  for (const [name, member] of Object.entries(object)) {
    setMember(mapped, nameOf(name), valueOf(member, name));
  }
  return mapped;
}
