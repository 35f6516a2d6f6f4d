import { createHash } from "node:crypto";
import { isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ApiAnswer } from "../api/api-client.ts";
import type { KubernetesObject } from "../kubernetes-object.ts";
import { fieldManager } from "../namespace-object.ts";
import type { Applied } from "../object-target.ts";

const maxRemembered = 5_000;
/** The server keeps times to the second, and its clock may have moved on before it answers. */
const precisionMs = 1_000;

/**
 * Tells from the answer to an apply whether it has changed the object, so that nobody has to read the object before. What
 * was applied before is remembered; of other objects the time counts at which our fields have last changed.
 */
export class AppliedChanges {
  /** Digests of objects as they were after our last apply, by uid; the oldest first. */
  readonly #digests = new Map<string, string>();

  changeOf({ status, date, body }: ApiAnswer, startedAgoMs: number): Applied["change"] {
    const uid = metadataOf(body)["uid"] as string;
    const digest = digestOf(body);
    const before = this.#digests.get(uid);
    this.#remember(uid, digest);
    if (status === 201) {
      return "created";
    }
    if (before !== undefined) {
      return before === digest ? "unchanged" : "changed";
    }
    const changedAt = lastChange(body);
    return changedAt !== undefined && changedAt < date.getTime() - startedAgoMs - precisionMs ? "unchanged" : "changed";
  }

  #remember(uid: string, digest: string): void {
    this.#digests.delete(uid);
    this.#digests.set(uid, digest);
    const [oldest] = this.#digests.keys();
    if (this.#digests.size > maxRemembered && oldest !== undefined) {
      this.#digests.delete(oldest);
    }
  }
}

/** The object without what the server and others write: who has written what, and the status. */
export function withoutBookkeeping(object: JsonObject): JsonObject {
  const { status: _status, metadata, ...rest } = object;
  const {
    managedFields: _fields,
    resourceVersion: _version,
    generation: _generation,
    ...kept
  } = isJsonObject(metadata) ? metadata : {};
  return { ...rest, metadata: kept };
}

export function withoutManagedFields(object: JsonObject): KubernetesObject {
  const { managedFields: _fields, ...metadata } = metadataOf(object);
  return { ...object, metadata } as KubernetesObject;
}

function digestOf(body: JsonObject): string {
  return createHash("sha1")
    .update(JSON.stringify(withoutBookkeeping(body)))
    .digest("base64");
}

/** When our apply has last changed the object, in milliseconds. */
function lastChange(body: JsonObject): number | undefined {
  const { managedFields } = metadataOf(body);
  for (const entry of Array.isArray(managedFields) ? managedFields : []) {
    const isOurs = isJsonObject(entry) && entry["manager"] === fieldManager && entry["operation"] === "Apply";
    if (isOurs && entry["subresource"] === undefined && typeof entry["time"] === "string") {
      return Date.parse(entry["time"]);
    }
  }
  return undefined;
}

function metadataOf(object: JsonObject): JsonObject {
  return isJsonObject(object["metadata"]) ? object["metadata"] : {};
}
