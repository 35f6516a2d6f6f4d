import type { JsonObject } from "@rad/core";
import type { KubernetesObject } from "./kubernetes-object.ts";

/** An object without the members that only the API server and controllers set. */
export function authoredMembers({ status: _status, metadata, ...object }: KubernetesObject): JsonObject {
  const {
    managedFields: _managedFields,
    resourceVersion: _resourceVersion,
    uid: _uid,
    generation: _generation,
    creationTimestamp: _creationTimestamp,
    ...kept
  } = metadata;
  return { ...object, metadata: kept };
}
