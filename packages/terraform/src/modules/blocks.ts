import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";

export interface Block {
  /** Empty for a block without one. */
  readonly label: string;
  readonly body: JsonObject;
}

/** Blocks with one label, in any of the forms that the JSON syntax of Terraform has: objects, or lists of objects. */
export function labelledBlocks(body: JsonValue, type: string): Block[] {
  return unlabelledBlocks(body, type).flatMap(({ body: byLabel }) =>
    Object.entries(byLabel)
      .filter(([label]) => label !== "//")
      .flatMap(([label, value]) => objectsIn(value).map((block) => ({ label, body: block }))),
  );
}

/** Blocks with a type and a name; the label is the type. */
export function resourceBlocks(body: JsonValue, type: "resource" | "data"): Block[] {
  return labelledBlocks(body, type).flatMap(({ label, body: byName }) =>
    Object.entries(byName)
      .filter(([name]) => name !== "//")
      .flatMap(([, value]) => objectsIn(value).map((block) => ({ label, body: block }))),
  );
}

export function unlabelledBlocks(body: JsonValue, type: string): Block[] {
  return objectsIn(body)
    .filter((object) => Object.hasOwn(object, type))
    .flatMap((object) => objectsIn(object[type] ?? null))
    .map((block) => ({ label: "", body: block }));
}

function objectsIn(value: JsonValue): JsonObject[] {
  if (Array.isArray(value)) {
    return value.flatMap(objectsIn);
  }
  return isJsonObject(value) ? [value] : [];
}
