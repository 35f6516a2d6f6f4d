import { type JsonObject, jsonPointer, type JsonValue, objectMember } from "@rad/core";
import type { ResourcePreview } from "../change.ts";
import type { Store } from "@rad/store";
import { isDeepStrictEqual } from "node:util";
import { type RequestedPut, settableProperties } from "./requested-put.ts";

/** Whether a PUT asks for what is stored already. Results of earlier work and who changed it last do not count. */
export async function isUnchanged(store: Store, put: RequestedPut): Promise<boolean> {
  const { current, version, type } = put;
  if (current === undefined || current.apiVersion !== version.name) {
    return false;
  }
  return (
    (type.policy.envelope === "proxy" || isDeepStrictEqual(objectMember(current.body, "tags"), put.tags)) &&
    isDeepStrictEqual(storedProperties(put), put.properties.visible) &&
    (await changedSecrets(store, put)).length === 0
  );
}

/**
 * What was asked for the last time, sensitive members `null`. With its defaults, which the type may have got only since:
 * they are filled in at the next write, and until then are no change.
 */
export function storedProperties({ current, version }: RequestedPut): JsonObject {
  if (current === undefined) {
    return {};
  }
  const settable = settableProperties(version, objectMember(current.body, "properties"));
  return version.schema?.applyDefaults(settable) ?? settable;
}

/** Which sensitive values a PUT would set, replace or remove. Sealed results of earlier work do not count. */
export async function changedSecrets(store: Store, put: RequestedPut): Promise<ResourcePreview["changedSecrets"]> {
  const asked = { properties: storedProperties(put) };
  const stored = Object.entries(put.current === undefined ? {} : await store.secrets(put.current.id));
  const before = Object.fromEntries(stored.filter(([pointer]) => jsonPointer.get(asked, pointer) !== undefined));
  const after = put.properties.secrets;
  const pointers = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...pointers].toSorted().flatMap((pointer) => {
    const change = kindOfChange(before[pointer], after[pointer]);
    return change === undefined ? [] : [{ pointer, change }];
  });
}

function kindOfChange(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): "create" | "modify" | "delete" | undefined {
  if (before === undefined) {
    return after === undefined ? undefined : "create";
  }
  if (after === undefined) {
    return "delete";
  }
  return isDeepStrictEqual(before, after) ? undefined : "modify";
}
