import type { ResourceBody } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core/json";

/** An object of Kubernetes in a namespace, as output resources name it. */
const objectId = /^\/planes\/kubernetes\/[^/]+\/namespaces\/([^/]+)\/providers\//i;

/**
 * The namespaces that an application's pods are in: where its resources have objects, else where the application itself
 * says that it runs, as those of `Applications.Core` do. Empty when nothing of it is in a cluster.
 */
export function namespacesOf(application: ResourceBody, resources: readonly ResourceBody[]): string[] {
  const found = new Set(resources.flatMap(objectNamespaces));
  if (found.size > 0) {
    return [...found];
  }
  const { kind, namespace } = objectMember(statusOf(application), "compute");
  return kind === "kubernetes" && typeof namespace === "string" && namespace !== "" ? [namespace] : [];
}

function objectNamespaces(resource: ResourceBody): string[] {
  const { outputResources } = statusOf(resource);
  const ids = (Array.isArray(outputResources) ? outputResources : []).map((output) =>
    isJsonObject(output) && typeof output["id"] === "string" ? output["id"] : "",
  );
  return ids.flatMap((id) => objectId.exec(id)?.[1] ?? []);
}

function statusOf(resource: ResourceBody): JsonObject {
  return objectMember(objectMember(resource, "properties"), "status");
}
