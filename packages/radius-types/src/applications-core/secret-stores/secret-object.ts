import type { ResourceId } from "@rad/core";
import { objectMember } from "@rad/core";
import type { KubernetesObject } from "@rad/kubernetes";
import { descriptiveLabels } from "../../rendering/labels.ts";
import type { SecretPlace } from "./secret-place.ts";

const secretTypes: Readonly<Record<string, string>> = { certificate: "kubernetes.io/tls", generic: "Opaque" };

/** The Secret of a store that we make. */
export function ownSecret(
  id: ResourceId,
  type: string,
  { namespace, name, applicationName }: SecretPlace,
  data: Readonly<Record<string, string>>,
): KubernetesObject {
  const secretType = secretTypes[type];
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace, labels: descriptiveLabels(id, applicationName) },
    ...(secretType === undefined ? {} : { type: secretType }),
    data: { ...data },
  };
}

/** Whether we made the Secret, for this store. */
export function isOwnSecret(id: ResourceId, secret: KubernetesObject): boolean {
  const wanted = descriptiveLabels(id, undefined);
  const labels = secret.metadata.labels ?? {};
  return ["radapp.io/resource", "radapp.io/resource-type"].every((label) => labels[label] === wanted[label]);
}

/** The value of a key in base64, as Kubernetes has it. */
export function dataOf(secret: KubernetesObject, key: string): string | undefined {
  const data = objectMember(secret, "data");
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof value === "string" ? value : undefined;
}
