import { ApiError, objectMember } from "@rad/core";
import { namespaceObject } from "@rad/kubernetes";
import type { CallOptions, ObjectName, ObjectTarget } from "@rad/kubernetes";

/** Creates a namespace that is not there; one that is there stays as it is. @throws ApiError while it is being deleted. */
export async function ensureNamespace(target: ObjectTarget, name: string, options: CallOptions): Promise<void> {
  const present = await target.read(namespaceName(name), options);
  if (present === undefined) {
    await target.apply(namespaceObject(name), options);
    return;
  }
  if (objectMember(present, "status")["phase"] === "Terminating") {
    throw new ApiError(
      "Conflict",
      `The namespace '${name}' is being deleted in ${target.description}. Wait until it is gone, and try again.`,
    );
  }
}

/** A folder of manifests is applied by people, who create what it needs; so every namespace counts as existing there. */
export async function requireNamespace(target: ObjectTarget, name: string, options: CallOptions): Promise<void> {
  if (target.kind === "cluster" && (await target.read(namespaceName(name), options)) === undefined) {
    throw new ApiError(
      "BadRequest",
      `Namespace '${name}' does not exist in the Kubernetes cluster. Please create it before proceeding.`,
      { target: "$.properties.providers.kubernetes.namespace" },
    );
  }
}

function namespaceName(name: string): ObjectName {
  return { group: "", kind: "Namespace", name };
}
