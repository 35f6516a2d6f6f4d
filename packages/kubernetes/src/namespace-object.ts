import type { KubernetesObject } from "./kubernetes-object.ts";

/** Who applies our objects, for the API server and on labels. */
export const fieldManager = "radius-rp";

/** The namespace that objects go to, as it is applied before the first of them. */
export function namespaceObject(name: string): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { "app.kubernetes.io/managed-by": fieldManager } },
  };
}
