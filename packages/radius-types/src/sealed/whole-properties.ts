import { atOnce, jsonPointer, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { hidesCredentials } from "@rad/core/terraform";
import type { SealedValues } from "@rad/resources";

/** Whether anything is shown without its value, so that sealed values are worth reading. */
export function hidesValues(shown: JsonValue): boolean {
  if (typeof shown === "string") {
    return hidesCredentials(shown);
  }
  return shown === null || (typeof shown === "object" && Object.values(shown).some(hidesValues));
}

/**
 * Puts sealed values in their places, where they are shown as `null`, or as an address that hides its credentials. Those
 * below `status` are results of earlier work.
 */
export function wholeProperties(properties: JsonObject, sealed: SealedValues): JsonObject {
  const body = { properties };
  const shown = Object.entries(sealed).filter(([pointer]) => {
    const place = jsonPointer.get(body, pointer);
    return place === null || (typeof place === "string" && hidesCredentials(place));
  });
  return objectMember(atOnce(jsonPointer.setAll(body, shown)), "properties");
}
