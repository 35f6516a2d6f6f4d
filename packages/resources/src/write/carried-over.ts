import {
  inSlices,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectMember,
  Pace,
  setMember,
  type Sliced,
} from "@rad/core";
import type { Store, StoredDocument } from "@rad/store";
import { shownAsNull } from "../handling/apply-result.ts";
import type { SealedValues } from "../resource-handler.ts";

/** What only the server sets, with its sealed values. */
export interface CarriedOver {
  readonly properties: JsonObject;
  readonly secrets: SealedValues;
}

/**
 * Results of earlier work, which stay until new work replaces them: `status` and the members that are read-only.
 * @param settable the stored properties without them.
 */
export async function carriedOver(
  store: Store,
  current: StoredDocument | undefined,
  settable: JsonObject,
): Promise<CarriedOver> {
  if (current === undefined) {
    return { properties: {}, secrets: {} };
  }
  const finding = inSlices(results(settable, objectMember(current.body, "properties")));
  const { properties, hasNull } = finding instanceof Promise ? await finding : finding;
  // Sealed members are null where the resource is shown, so most resources need not be asked for them.
  if (!hasNull) {
    return { properties, secrets: {} };
  }
  return { properties, secrets: await inSlices(shownAsNull({ properties }, await store.secrets(current.id))) };
}

/** `wanted`, and of `results` what it does not have itself. */
export function withResults(wanted: JsonObject, results: JsonObject): JsonObject {
  const names = Object.keys(results);
  if (names.length === 0) {
    return wanted;
  }
  const merged: JsonObject = { ...wanted };
  for (const name of names) {
    const result = results[name] ?? null;
    const member = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (member === undefined) {
      setMember(merged, name, result);
    } else if (isJsonObject(member) && isJsonObject(result)) {
      setMember(merged, name, withResults(member, result));
    }
  }
  return merged;
}

interface Results {
  readonly properties: JsonObject;
  readonly hasNull: boolean;
}

function* results(settable: JsonObject, stored: JsonObject): Sliced<Results> {
  const visit: Visit = { pace: new Pace(), hasNull: false };
  const missing = (yield* missingIn(settable, stored, visit)) ?? {};
  const { provisioningState: _state, ...properties } = missing;
  return { properties, hasNull: visit.hasNull };
}

interface Visit {
  readonly pace: Pace;
  /** Whether `null` is among what was found missing. */
  hasNull: boolean;
}

/** The members of `all` that `part` does not have, also those of objects that both have. */
function* missingIn(part: JsonObject, all: JsonObject, visit: Visit): Sliced<JsonObject | undefined> {
  let missing: JsonObject | undefined;
  for (const name of Object.keys(all)) {
    const value = all[name] ?? null;
    const known = Object.hasOwn(part, name) ? part[name] : undefined;
    if (known === undefined) {
      missing ??= {};
      setMember(missing, name, value);
      yield* findNull(value, visit);
    } else if (isJsonObject(known) && isJsonObject(value)) {
      const inner = yield* missingIn(known, value, visit);
      if (inner !== undefined) {
        missing ??= {};
        setMember(missing, name, inner);
      }
    }
    const pause = visit.pace.spend();
    if (pause !== undefined) {
      yield pause;
    }
  }
  return missing;
}

/** Whether there is `null` anywhere in the value. */
export function* hasNull(value: JsonValue): Sliced<boolean> {
  const visit: Visit = { pace: new Pace(), hasNull: false };
  yield* findNull(value, visit);
  return visit.hasNull;
}

function* findNull(value: JsonValue, visit: Visit): Sliced<void> {
  const pause = visit.pace.spend();
  if (pause !== undefined) {
    yield pause;
  }
  visit.hasNull ||= value === null;
  if (visit.hasNull || typeof value !== "object" || value === null) {
    return;
  }
  const members = Array.isArray(value) ? value : Object.values(value);
  for (const member of members) {
    yield* findNull(member, visit);
  }
}
