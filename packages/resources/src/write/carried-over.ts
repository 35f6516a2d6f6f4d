import { isJsonObject, type JsonObject, jsonPointer, type JsonValue, objectMember } from "@rad/core";
import type { Store, StoredDocument } from "@rad/store";
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
  const { provisioningState: _state, ...stored } =
    current === undefined ? {} : objectMember(current.body, "properties");
  const properties = missingIn(settable, stored) ?? {};
  // Sealed members are null where the resource is shown, so most resources need not be asked for them.
  if (current === undefined || !hasNull(properties)) {
    return { properties, secrets: {} };
  }
  const all = await store.secrets(current.id);
  const secrets = Object.entries(all).filter(([pointer]) => jsonPointer.get({ properties }, pointer) === null);
  return { properties, secrets: Object.fromEntries(secrets) };
}

/** `wanted`, and of `results` what it does not have itself. */
export function withResults(wanted: JsonObject, results: JsonObject): JsonObject {
  const merged: JsonObject = { ...wanted };
  for (const [name, result] of Object.entries(results)) {
    const member = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (member === undefined) {
      merged[name] = result;
    } else if (isJsonObject(member) && isJsonObject(result)) {
      merged[name] = withResults(member, result);
    }
  }
  return merged;
}

/** The members of `all` that `part` does not have, also those of objects that both have. */
function missingIn(part: JsonObject, all: JsonObject): JsonObject | undefined {
  const missing: JsonObject = {};
  for (const [name, value] of Object.entries(all)) {
    const known = Object.hasOwn(part, name) ? part[name] : undefined;
    if (known === undefined) {
      missing[name] = value;
    } else if (isJsonObject(known) && isJsonObject(value)) {
      const inner = missingIn(known, value);
      if (inner !== undefined) {
        missing[name] = inner;
      }
    }
  }
  return Object.keys(missing).length === 0 ? undefined : missing;
}

function hasNull(value: JsonValue): boolean {
  return value === null || (typeof value === "object" && Object.values(value).some(hasNull));
}
