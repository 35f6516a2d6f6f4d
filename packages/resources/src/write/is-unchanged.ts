import {
  inSlices,
  type JsonObject,
  jsonPointer,
  type JsonValue,
  objectMember,
  Pace,
  sameJson,
  type Sliced,
} from "@rad/core";
import type { ResourcePreview } from "../change.ts";
import type { SealedValues } from "../resource-handler.ts";
import type { Store } from "@rad/store";
import type { RequestedPut } from "./requested-put.ts";

/** Whether a PUT asks for what is stored already. Results of earlier work and who changed it last do not count. */
export async function isUnchanged(store: Store, put: RequestedPut): Promise<boolean> {
  const { current, version, type, stored } = put;
  if (current === undefined || current.apiVersion !== version.name) {
    return false;
  }
  return (
    (type.policy.envelope === "proxy" || (await inSlices(sameJson(objectMember(current.body, "tags"), put.tags)))) &&
    (await inSlices(sameJson(stored, put.properties.visible))) &&
    (await changedSecrets(store, put)).length === 0
  );
}

/** Which sensitive values a PUT would set, replace or remove. Sealed results of earlier work do not count. */
export async function changedSecrets(store: Store, put: RequestedPut): Promise<ResourcePreview["changedSecrets"]> {
  const before = put.current === undefined ? {} : await store.secrets(put.current.id);
  return await inSlices(compareSecrets(before, put.properties.secrets, { properties: put.stored }));
}

/** @param asked what was asked for the last time. */
function* compareSecrets(
  stored: SealedValues,
  after: SealedValues,
  asked: JsonObject,
): Sliced<ResourcePreview["changedSecrets"]> {
  const pace = new Pace();
  const pointers = new Set([...Object.keys(stored), ...Object.keys(after)]);
  const changed: ResourcePreview["changedSecrets"][number][] = [];
  for (const pointer of [...pointers].toSorted()) {
    const before = jsonPointer.get(asked, pointer) === undefined ? undefined : stored[pointer];
    const change = yield* kindOfChange(before, after[pointer], pace);
    if (change !== undefined) {
      changed.push({ pointer, change });
    }
  }
  return changed;
}

function* kindOfChange(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  pace: Pace,
): Sliced<"create" | "modify" | "delete" | undefined> {
  if (before === undefined) {
    return after === undefined ? undefined : "create";
  }
  if (after === undefined) {
    return "delete";
  }
  return (yield* sameJson(before, after, pace)) ? undefined : "modify";
}
