import { ApiError } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { encodeBase64, encodeUtf8 } from "@rad/templates/bytes";
import type { KubernetesPart } from "../../../rendering/renderer.ts";
import { sortedEntries } from "../../../rendering/sorted-entries.ts";
import type { Workload } from "./workload.ts";

/** An entry of `env` whose value is in the container's own Secret, under the name of the variable. */
export function ownSecretReference({ name }: Workload, variable: string): JsonObject {
  return { name: variable, valueFrom: { secretKeyRef: { name, key: variable } } };
}

/** Whether a text can be the key of a Secret. */
export function isSecretKey(text: string): boolean {
  return /^[-._a-zA-Z0-9]{1,253}$/.test(text);
}

/** The container's Secret with values of connections, volumes and `env`; none without values. */
export function secretParts(workload: Workload, values: Readonly<Record<string, string>>): KubernetesPart[] {
  const { name, namespace, labels, base } = workload;
  const entries = sortedEntries(values);
  if (entries.length === 0) {
    return [];
  }
  if (base.others.some(({ kind, metadata }) => kind === "Secret" && metadata.name === name)) {
    throw new ApiError(
      "BadRequest",
      `The base manifest has a Secret '${name}', which is also the name of the Secret with the container's own values. Rename it.`,
      { target: "$.properties.runtimes.kubernetes.base" },
    );
  }
  const data = Object.fromEntries(entries.map(([key, value]) => [key, encodeBase64(encodeUtf8(value))]));
  const object = { apiVersion: "v1", kind: "Secret", metadata: { name, namespace, labels }, type: "Opaque", data };
  return [{ platform: "kubernetes", localId: "Secret", object }];
}
