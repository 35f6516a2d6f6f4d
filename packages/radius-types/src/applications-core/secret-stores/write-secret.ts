import { ApiError, objectMember } from "@rad/core";
import type { JsonObject, ResourceId } from "@rad/core";
import type { CallOptions, KubernetesObject, ObjectTarget } from "@rad/kubernetes";
import { secretData } from "../../rendering/secret-bytes.ts";
import { requireKeys } from "./check-secret-store.ts";
import { type SecretEntry, storeType } from "./secret-entries.ts";
import { dataOf, isOwnSecret, ownSecret } from "./secret-object.ts";
import { secretName, type SecretPlace } from "./secret-place.ts";

/** Kubernetes refuses a Secret of the type `kubernetes.io/tls` without these. */
const certificateKeys = ["tls.crt", "tls.key"];

export interface WrittenStore {
  readonly id: ResourceId;
  readonly properties: JsonObject;
  readonly entries: readonly SecretEntry[];
  readonly place: SecretPlace;
  /** We made the Secret at an earlier PUT, and whoever deleted it since does not stop this one. */
  readonly wasOwn: boolean;
}

/**
 * Brings the Secret behind a store in line with it. Values that are already there are neither copied nor touched.
 * @returns whether the Secret is ours, so that it goes with the store.
 * @throws ApiError for a Secret or a key that is not there, and for a Secret that belongs to somebody else.
 */
export async function writeSecret(target: ObjectTarget, store: WrittenStore, options: CallOptions): Promise<boolean> {
  const { id, properties, entries, place, wasOwn } = store;
  const present = await target.read(secretName(place), options);
  const hasValues = entries.some(({ value }) => value !== undefined);
  requirePresent(store, present, hasValues);
  if (present !== undefined && !isOwnSecret(id, present)) {
    if (!place.isNamed || wasOwn) {
      throw belongsToOthers(place, target);
    }
    if (hasValues) {
      await target.apply(withValues(target, present, store), options);
    }
    return false;
  }
  const type = storeType(properties);
  requireKeys(objectMember(properties, "data"), type === "certificate" ? certificateKeys : [], type);
  const data = entries.map((entry) => [entry.key, given(entry) ?? kept(present, entry.key)] as const);
  await target.apply(ownSecret(id, type, place, Object.fromEntries(data)), options);
  return true;
}

/** @throws ApiError unless every value is given or there already. */
function requirePresent(
  { entries, place, wasOwn }: WrittenStore,
  present: KubernetesObject | undefined,
  hasValues: boolean,
): void {
  const shown = `${place.namespace}/${place.name}`;
  const absent = entries.find(
    ({ key, value }) => value === undefined && (present === undefined || dataOf(present, key) === undefined),
  );
  if (absent !== undefined && !place.isNamed) {
    throw refused(
      `$.properties.data.${absent.key}.value is missing. Give the value, or name in $.properties.resource the Secret that has it.`,
    );
  }
  const mustExist = !hasValues || absent !== undefined || (place.isBound && place.isNamed && !wasOwn);
  if (present === undefined && mustExist && place.isNamed) {
    const key = absent === undefined ? "" : ` The key '${absent.key}' cannot be read.`;
    throw refused(`'${shown}' referenced resource does not exist.${key}`);
  }
  if (absent !== undefined) {
    throw refused(`'${shown}' resource does not have key, '${absent.key}'.`);
  }
}

/**
 * Only the keys of the store: whoever made the Secret keeps everything else about it. Those without a value come along,
 * because a key that an earlier PUT gave and this one does not name would go.
 */
function withValues(
  { kind }: ObjectTarget,
  present: KubernetesObject,
  { entries, place: { namespace, name } }: WrittenStore,
): KubernetesObject {
  const data = Object.fromEntries(entries.map((entry) => [entry.key, given(entry) ?? kept(present, entry.key)]));
  if (kind === "folder") {
    return { ...present, data: { ...objectMember(present, "data"), ...data } }; // its files are written as a whole
  }
  return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, data };
}

function given({ key, encoding, value }: SecretEntry): string | undefined {
  return value === undefined ? undefined : secretData(value, encoding, `$.properties.data.${key}.value`);
}

function kept(present: KubernetesObject | undefined, key: string): string {
  return (present === undefined ? undefined : dataOf(present, key)) ?? "";
}

function belongsToOthers({ namespace, name }: SecretPlace, target: ObjectTarget): ApiError {
  return new ApiError(
    "Conflict",
    `The Secret '${namespace}/${name}' in ${target.description} does not belong to this secret store. ` +
      "Rename the store, or name the Secret in $.properties.resource to refer to its keys.",
  );
}

function refused(message: string): ApiError {
  return new ApiError("BadRequest", message, { target: "$.properties.resource" });
}
