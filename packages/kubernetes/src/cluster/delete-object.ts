import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ApiClient } from "../api/api-client.ts";
import type { Observer, Watches } from "../api/watch.ts";
import { named } from "../api/watch.ts";
import { unlessAbsent } from "./absence.ts";

export interface DeletedObject {
  /** `/api/v1/namespaces/shop/configmaps` */
  readonly collection: string;
  /** `/api/v1/namespaces/shop/configmaps/settings` */
  readonly path: string;
  readonly name: string;
  /** For messages: `ConfigMap 'settings' in namespace 'shop'`. */
  readonly subject: string;
  /** Whether objects of the kind have others, such as pods, that are to be gone as well. */
  readonly hasDependents: boolean;
}

export interface DeleteDeps {
  readonly client: ApiClient;
  readonly watches: Watches;
  /** How long an object may take to go. */
  readonly timeoutMs: number;
}

const pollMs = 500;
/** Kubernetes' own: it holds an object until its dependents are gone. */
const foregroundFinalizer = "foregroundDeletion";

/** Resolves when the object is gone, with its dependents. @throws ApiError `Conflict` that names what holds it. */
export async function deleteObject(deps: DeleteDeps, object: DeletedObject, signal: AbortSignal): Promise<void> {
  const current = await read(deps.client, object, signal);
  if (current === undefined) {
    return;
  }
  // Somebody else may create an object of the same name; that one stays.
  const uid = objectMember(current, "metadata")["uid"] as string;
  const isGoing = objectMember(current, "metadata")["deletionTimestamp"] !== undefined;
  const answer = isGoing ? current : await send(deps.client, object, uid, signal);
  if (answer !== undefined && objectMember(answer, "metadata")["uid"] === uid) {
    await waitUntilGone(deps, object, { uid, signal });
  }
}

async function read(client: ApiClient, object: DeletedObject, signal: AbortSignal): Promise<JsonObject | undefined> {
  const { path, subject } = object;
  return await unlessAbsent(client.request({ method: "GET", path, subject, signal }));
}

/** Resolves to the object while something holds it, else to a status. */
async function send(
  client: ApiClient,
  object: DeletedObject,
  uid: string,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const { path, subject, hasDependents } = object;
  const body = {
    apiVersion: "v1",
    kind: "DeleteOptions",
    propagationPolicy: hasDependents ? "Foreground" : "Background",
    preconditions: { uid },
  };
  try {
    return await unlessAbsent(client.request({ method: "DELETE", path, body, subject, signal }));
  } catch (error) {
    const isConflict = error instanceof ApiError && error.code === "Conflict";
    if (isConflict && !(await isThere(client, object, { uid, signal }))) {
      return undefined; // the name belongs to another object by now
    }
    throw error;
  }
}

async function waitUntilGone(
  { client, watches, timeoutMs }: DeleteDeps,
  object: DeletedObject,
  { uid, signal: callers }: { readonly uid: string; readonly signal: AbortSignal },
): Promise<void> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  const signal = AbortSignal.any([callers, limit.signal]);
  using observer = watches.observe();
  try {
    if (await join(observer, object, signal)) {
      // A watch may be behind: an object that it does not show is asked for.
      while (isShown(observer, object, uid) || (await isThere(client, object, { uid, signal }))) {
        await observer.changed(signal);
      }
    } else {
      while (await isThere(client, object, { uid, signal })) {
        await watches.clock.sleep(pollMs, signal);
      }
    }
  } catch (error) {
    throw limit.signal.aborted && !callers.aborted
      ? await stuck(client, object, { timeoutMs, signal: callers })
      : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Whoever may delete objects need not be allowed to watch them. */
async function join(observer: Observer, { collection }: DeletedObject, signal: AbortSignal): Promise<boolean> {
  try {
    await observer.join({ path: collection }, signal);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === "Forbidden") {
      return false;
    }
    throw error;
  }
}

function isShown(observer: Observer, { collection, name }: DeletedObject, uid: string): boolean {
  return observer.read({ path: collection }, named(name)).some(({ metadata }) => metadata["uid"] === uid);
}

async function isThere(
  client: ApiClient,
  object: DeletedObject,
  { uid, signal }: { readonly uid: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const current = await read(client, object, signal);
  return current !== undefined && objectMember(current, "metadata")["uid"] === uid;
}

async function stuck(
  client: ApiClient,
  object: DeletedObject,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<ApiError> {
  const current = await read(client, object, signal);
  const { finalizers } = objectMember(current ?? {}, "metadata");
  const names = Array.isArray(finalizers) ? finalizers.map(String) : [];
  const others = names.filter((name) => name !== foregroundFinalizer);
  const holder =
    others.length > 0
      ? `the finalizers ${others.map((name) => `'${name}'`).join(", ")} hold it. Get the controllers running that remove them`
      : names.length > 0
        ? "objects that belong to it are not gone yet. Look for pods that do not end"
        : "nothing says why. Look at the events of its namespace";
  const problem = `${object.subject} is being deleted in ${client.description}, but not gone after ${timeoutMs / 1000} s`;
  return new ApiError("Conflict", `${problem}: ${holder}, then delete again.`);
}
