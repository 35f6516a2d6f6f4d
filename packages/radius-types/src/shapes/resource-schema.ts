import { objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { choice, object, readOnly } from "./schema-parts.ts";
import type { Properties } from "./schema-parts.ts";
import { withMappings } from "./with-mappings.ts";

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

/** Makes an object the schema of a built-in type's `properties`. */
export function asResource(schema: JsonObject): JsonObject {
  return withMappings({ ...withProvisioningState(schema), "x-radius-unknown": "drop" });
}

export function withProvisioningState(schema: JsonObject): JsonObject {
  return { ...schema, properties: { ...objectMember(schema, "properties"), provisioningState } };
}
