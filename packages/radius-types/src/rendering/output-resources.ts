import { isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { idOfObject, nameOf } from "@rad/kubernetes";
import type { KubernetesPart, Rendering } from "./renderer.ts";

/** An entry of `status.outputResources`. What is not managed is never deleted: its author brought it along. */
export interface OutputResource {
  readonly localId?: string;
  readonly id: string;
  readonly radiusManaged: boolean;
}

/** What a resource consists of once it is deployed, in the order in which it is created. */
export function wantedOutputs(
  parts: readonly KubernetesPart[],
  { references = [] }: Pick<Rendering, "references">,
): readonly OutputResource[] {
  return [
    ...parts.map(({ localId, object }) => ({ localId, id: idOfObject(nameOf(object)), radiusManaged: true })),
    ...references.map((id) => ({ id, radiusManaged: false })),
  ];
}

/** What a `status` says was created or was about to be. */
export function recordedOutputs(status: JsonObject): readonly OutputResource[] {
  const { outputResources } = status;
  return (Array.isArray(outputResources) ? outputResources : []).flatMap((entry) => {
    const { id, localId, radiusManaged } = isJsonObject(entry) ? entry : {};
    if (typeof id !== "string") {
      return [];
    }
    return [{ ...(typeof localId === "string" ? { localId } : {}), id, radiusManaged: radiusManaged !== false }];
  });
}

/** Those of `outputs` that are not in `others`; ids are compared ignoring case. */
export function without(
  outputs: readonly OutputResource[],
  others: readonly OutputResource[],
): readonly OutputResource[] {
  const ids = new Set(others.map(({ id }) => id.toLowerCase()));
  return outputs.filter(({ id }) => !ids.has(id.toLowerCase()));
}

/** As a member of the status. */
export function outputsAsJson(outputs: readonly OutputResource[]): JsonObject[] {
  return outputs.map((output) => ({ ...output }));
}
