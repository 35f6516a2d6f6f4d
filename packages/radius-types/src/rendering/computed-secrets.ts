import { jsonPointer } from "@rad/core";
import type { SealedValues } from "@rad/resources";

const place = "/properties/status/computedValues/";

/** The secret values that the latest run of a recipe gave, by name. */
export function computedSecrets(sealed: SealedValues): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [pointer, value] of Object.entries(sealed)) {
    const [, , , name, ...deeper] = jsonPointer.parts(pointer);
    if (pointer.startsWith(place) && name !== undefined && deeper.length === 0) {
      values[name] = typeof value === "string" ? value : JSON.stringify(value);
    }
  }
  return values;
}
