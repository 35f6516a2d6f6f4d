import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";

/**
 * Completes the discriminators of a schema. They point at their variants from the root, so their mappings are only
 * known once the schema is whole.
 */
export function withMappings(schema: JsonObject, pointer = "#"): JsonObject {
  const whole: JsonObject = {};
  for (const [name, value] of Object.entries(schema)) {
    whole[name] = complete(value, `${pointer}/${escape(name)}`);
  }
  const { discriminator } = schema;
  if (!isJsonObject(discriminator) || !isJsonObject(discriminator["mapping"])) {
    return whole;
  }
  const mapping = Object.entries(discriminator["mapping"]).map(([value, below]): [string, JsonValue] => [
    value,
    typeof below === "string" ? pointer + below : below,
  ]);
  return { ...whole, discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) } };
}

function complete(value: JsonValue, pointer: string): JsonValue {
  if (Array.isArray(value)) {
    return value.map((item, index) => complete(item, `${pointer}/${index}`));
  }
  return isJsonObject(value) ? withMappings(value, pointer) : value;
}

/** As in a reference: a JSON pointer inside of a URI fragment. */
function escape(name: string): string {
  return /^\w+$/.test(name) ? name : encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}
