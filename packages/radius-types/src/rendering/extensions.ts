import { isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";

/** The first extension of this kind; further ones have no effect. */
export function extensionOf(properties: JsonObject, kind: string): JsonObject | undefined {
  const { extensions } = properties;
  if (!Array.isArray(extensions)) {
    return undefined;
  }
  return extensions.filter(isJsonObject).find((extension) => extension["kind"] === kind);
}
