import { derivedId, sensitiveId } from "./derived-id.ts";
import type { DerivedId } from "./derived-id.ts";
import { createsNoObject, kubernetesKind } from "./kubernetes-kinds.ts";
import { isSensitive, textAt } from "./state-resource.ts";
import type { StateResource } from "./state-resource.ts";

interface KubernetesObject {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/**
 * The id of the object that a resource of `kubernetes` created:
 * `/planes/kubernetes/local/namespaces/<namespace>/providers/<group>/<Kind>/<name>`, without `namespaces` for one that
 * belongs to the cluster. `undefined` for types that create no object of their own.
 */
export function kubernetesId(resource: StateResource): DerivedId | undefined {
  if (resource.type === "kubernetes_manifest") {
    return manifestId(resource);
  }
  if (createsNoObject(resource.type)) {
    return undefined;
  }
  const kind = kubernetesKind(resource.type);
  if (kind === undefined) {
    return { skipped: "its type is unknown" };
  }
  const name = textAt(resource, "metadata", 0, "name");
  if (name === undefined) {
    return { skipped: "it has no name" };
  }
  if (isSensitive(resource, "metadata", 0, "name") || isSensitive(resource, "metadata", 0, "namespace")) {
    return sensitiveId;
  }
  // The provider writes the namespace that it used, and uses `default` where none is given.
  const namespace = kind.isNamespaced ? (textAt(resource, "metadata", 0, "namespace") ?? "default") : undefined;
  return objectId({ ...kind, namespace, name });
}

/** A manifest says what it is; a name or namespace that the API server chose is in `object` only. */
function manifestId(resource: StateResource): DerivedId {
  const either = (...path: readonly string[]): string | undefined =>
    textAt(resource, "manifest", ...path) ?? textAt(resource, "object", ...path);
  const [apiVersion, kind, name] = [either("apiVersion"), either("kind"), either("metadata", "name")];
  if (apiVersion === undefined || kind === undefined || name === undefined) {
    return { skipped: "its manifest has no apiVersion, kind or name" };
  }
  // The marks are on `manifest`: the values of `object` come from the API server.
  const shown = [["apiVersion"], ["kind"], ["metadata", "name"], ["metadata", "namespace"]];
  if (shown.some((path) => isSensitive(resource, "manifest", ...path) || isSensitive(resource, "object", ...path))) {
    return sensitiveId;
  }
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "core" : apiVersion.slice(0, slash);
  return objectId({ group, kind, namespace: either("metadata", "namespace"), name });
}

function objectId({ group, kind, namespace, name }: KubernetesObject): DerivedId {
  const otherwise = "its kind, namespace and name do not give a resource id";
  const segments = [group, kind, name, namespace ?? ""];
  if (segments.some((segment) => segment.includes("/"))) {
    return { skipped: otherwise };
  }
  const scope = namespace === undefined ? "" : `/namespaces/${namespace}`;
  return derivedId(`/planes/kubernetes/local${scope}/providers/${group}/${kind}/${name}`, otherwise);
}
