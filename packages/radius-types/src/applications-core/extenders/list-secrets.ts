import { objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { computedSecrets } from "../../rendering/computed-secrets.ts";

/** Every secret by name, as text: those of the author, and those that a recipe gave. */
export const listSecrets = (
  _properties: JsonObject,
  secrets: Readonly<Record<string, JsonValue>>,
): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(objectMember(secrets, "/properties/secrets")).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  ),
  ...computedSecrets(secrets),
});
