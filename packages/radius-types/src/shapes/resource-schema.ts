import { objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
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
  return asResource(object(description, properties, required, more));
}

/** Makes an object the schema of a type's `properties`. */
export function asResource(schema: JsonObject): JsonObject {
  const properties = { ...objectMember(schema, "properties"), provisioningState };
  return { ...schema, "x-radius-unknown": "drop", properties };
}
