import { hash } from "node:crypto";
import { isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ApiAnswer } from "../api/api-client.ts";
import type { KubernetesObject } from "../kubernetes-object.ts";
import { fieldManager } from "../namespace-object.ts";
import type { Applied } from "../object-target.ts";

/** What an object was applied as, and when the server last saw a change of our fields by that. */
interface Remembered {
  readonly digest: string;
  readonly changedAt: number | undefined;
}

const maxRemembered = 5_000;
/** The server keeps times to the second. */
const precisionMs = 1_000;

/**
 * Tells from the answer to an apply whether it has changed the object, so that nobody has to read the object before. The
 * server keeps when fields of ours have last changed. Within a second of that, what was applied before decides; controllers
 * change objects too, so the version does not.
 */
export class AppliedChanges {
  /** By uid; the oldest first. */
  readonly #remembered = new Map<string, Remembered>();

  /**
   * @param applied the object that was sent, as JSON
   * @param elapsedMs since before the request was sent
   */
  changeOf(applied: string, { status, date, body }: ApiAnswer, elapsedMs: number): Applied["change"] {
    const uid = metadataOf(body)["uid"] as string;
    const now = { digest: hash("sha1", applied, "base64"), changedAt: lastChange(body) };
    const before = this.#remembered.get(uid);
    this.#remember(uid, now);
    if (status === 201) {
      return "created";
    }
    const { digest, changedAt } = now;
    const isEarlier = changedAt !== undefined && changedAt < date.getTime() - elapsedMs - precisionMs;
    const isSame = before !== undefined && before.digest === digest && before.changedAt === changedAt;
    return isEarlier || isSame ? "unchanged" : "changed";
  }

  #remember(uid: string, applied: Remembered): void {
    this.#remembered.delete(uid);
    this.#remembered.set(uid, applied);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > maxRemembered && oldest !== undefined) {
      this.#remembered.delete(oldest);
    }
  }
}

/** The object without what only the server and controllers write: who has written what, versions, and the status. */
export function withoutBookkeeping(object: JsonObject): JsonObject {
  const { status: _status, ...rest } = object;
  const {
    managedFields: _fields,
    resourceVersion: _version,
    generation: _generation,
    ...metadata
  } = metadataOf(object);
  return { ...rest, metadata };
}

export function withoutManagedFields(object: JsonObject): KubernetesObject {
  const { managedFields: _fields, ...metadata } = metadataOf(object);
  return { ...object, metadata } as KubernetesObject;
}

/** When our applies have last changed the object, in milliseconds. */
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
