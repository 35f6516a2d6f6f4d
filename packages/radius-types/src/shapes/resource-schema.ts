import { isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { choice, object, readOnly } from "./schema-parts.ts";
import type { Properties } from "./schema-parts.ts";

const provisioningState = readOnly(
  choice("How far the latest change of the resource has come.", [
    "Creating",
    "Updating",
    "Deleting",
    "Accepted",
    "Provisioning",
    "Succeeded",
    "Failed",
    "Canceled",
  ]),
);

/** The schema of the `properties` of a built-in type: what nobody declared is dropped, as upstream does. */
export function resourceSchema(
  description: string,
  properties: Properties,
  required: readonly string[] = [],
  more: JsonObject = {},
): JsonObject {
  return completeRoot(object(description, properties, required, more));
}

/** The same for `properties` that are an object with variants. */
export function completeRoot(schema: JsonObject): JsonObject {
  const properties = { ...objectMember(schema, "properties"), provisioningState };
  return withMappings({ ...schema, "x-radius-unknown": "drop", properties }, "#");
}

/** A discriminator points at its variants from the root, so its mapping is only known once the schema is whole. */
function withMappings(schema: JsonObject, pointer: string): JsonObject {
  const complete = (value: JsonValue, at: string): JsonValue => {
    if (Array.isArray(value)) {
      return value.map((item, index) => complete(item, `${at}/${index}`));
    }
    return isJsonObject(value) ? withMappings(value, at) : value;
  };
  const whole = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, complete(value, `${pointer}/${escape(name)}`)]),
  );
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

/** As in a reference: JSON pointer inside of a URI fragment. */
function escape(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}
