import { type JsonObject, objectMember } from "@rad/core";

/** A resource as its handler sees it: what was asked for, and what earlier work saved. */
export function splitStatus(body: JsonObject): { readonly properties: JsonObject; readonly status: JsonObject } {
  const { status: _status, provisioningState: _state, ...properties } = objectMember(body, "properties");
  return { properties, status: objectMember(objectMember(body, "properties"), "status") };
}
