import type { Clock, JsonObject } from "@rad/core";
import { ApiError, isJsonObject } from "@rad/core";
import type { KubernetesObject } from "../kubernetes-object.ts";
import type { ApiCall, ApiClient } from "./api-client.ts";
import { linesOf } from "./lines.ts";

/** A collection as the API server serves it, or the part of it that selectors leave. */
export interface Collection {
  /** `/apis/apps/v1/namespaces/shop/deployments` */
  readonly path: string;
  /** `labelSelector`, `fieldSelector` */
  readonly query?: Readonly<Record<string, string>>;
}

export interface FollowDeps {
  readonly client: ApiClient;
  readonly clock: Clock;
  /** Between 0 and 1. Spreads what many clients do after a restart of the server. */
  readonly random: () => number;
}

/** Is told what the collection holds: first a whole list, then changes, and a whole list again after a gap. */
export interface CollectionSink {
  replace(objects: readonly KubernetesObject[]): void;
  put(object: KubernetesObject): void;
  remove(object: KubernetesObject): void;
  /** The server cannot be reached, or can again (`undefined`). */
  away(problem: ApiError | undefined): void;
}

const pageSize = 500;
/** The server ends a watch after this time, so a reconnect costs one request a minute and a stalled one is noticed. */
const watchSeconds = 60;
const stalledMs = (watchSeconds + 15) * 1_000;
/** A whole list at least this often, in case a change got lost. */
const resyncMs = 10 * 60_000;
/** After so many failures in a row the list is read anew, as the version may be what the server objects to. */
const failuresBeforeList = 3;
/** A watch that ends before this time without an event counts as a failure, or a reconnect would follow at once. */
const shortestWatchMs = 1_000;

/**
 * List, then watch, and again after the end of a watch, cut connections, restarts of the server and 410 (Gone). Rejects
 * with the signal's reason, or with an error that trying again does not cure, such as 403.
 */
export async function followCollection(
  deps: FollowDeps,
  collection: Collection,
  sink: CollectionSink,
  signal: AbortSignal,
): Promise<never> {
  const { clock } = deps;
  const place: Place = { version: undefined, failures: 0 };
  let listedAtMs = 0;
  for (;;) {
    try {
      if (place.version === undefined || clock.monotonicMs() - listedAtMs > resyncMs) {
        const { objects, version } = await listAll(deps.client, collection, signal);
        place.version = version;
        listedAtMs = clock.monotonicMs();
        sink.replace(objects);
        sink.away(undefined);
      }
      await watchFrom(deps, collection, { place, sink, signal });
    } catch (error) {
      signal.throwIfAborted();
      const problem = problemOf(error);
      place.failures += 1;
      if (problem.status === gone || place.failures >= failuresBeforeList) {
        place.version = undefined;
      }
      if (problem.status !== gone) {
        sink.away(problem);
      }
      await clock.sleep(backoffMs(place.failures, deps.random), signal);
    }
  }
}

/** How far a watch has come. */
interface Place {
  version: string | undefined;
  /** In a row. */
  failures: number;
}

interface WatchTask {
  readonly place: Place;
  readonly sink: CollectionSink;
  readonly signal: AbortSignal;
}

const gone = 410;

async function listAll(
  client: ApiClient,
  { path, query }: Collection,
  signal: AbortSignal,
): Promise<{ objects: KubernetesObject[]; version: string | undefined }> {
  const objects: KubernetesObject[] = [];
  let token: string | undefined;
  for (;;) {
    const page = await client.request({
      method: "GET",
      path,
      query: { ...query, limit: String(pageSize), ...(token === undefined ? {} : { continue: token }) },
      signal,
    });
    objects.push(...itemsOf(page));
    const metadata = page["metadata"];
    const { continue: next, resourceVersion } = isJsonObject(metadata) ? metadata : {};
    if (typeof next !== "string" || next === "") {
      return { objects, version: typeof resourceVersion === "string" ? resourceVersion : undefined };
    }
    token = next;
  }
}

/** Items of a list have neither kind nor version of their own. */
function itemsOf(list: JsonObject): KubernetesObject[] {
  const { apiVersion, kind, items } = list;
  if (!Array.isArray(items)) {
    return [];
  }
  const own = { apiVersion, kind: typeof kind === "string" ? kind.replace(/List$/, "") : kind };
  return items.flatMap((item) => objectIn({ ...own, ...(isJsonObject(item) ? item : {}) }) ?? []);
}

async function watchFrom({ client, clock }: FollowDeps, collection: Collection, task: WatchTask): Promise<void> {
  const { place, sink } = task;
  const startedAtMs = clock.monotonicMs();
  const over = new AbortController();
  const signal = AbortSignal.any([task.signal, over.signal]);
  const guard = clock.sleep(stalledMs, signal).then(
    () => over.abort(passing(`A watch of ${collection.path} on ${client.description} stalled.`)),
    () => undefined,
  );
  let isOpen = false;
  let events = 0;
  const isOfUse = (): boolean => isOpen && (events > 0 || clock.monotonicMs() - startedAtMs >= shortestWatchMs);
  try {
    const body = await client.stream({ ...watchCall(collection, place.version), signal });
    isOpen = true;
    sink.away(undefined);
    for await (const line of linesOf(body)) {
      take(line, task);
      events += 1;
    }
  } catch (error) {
    throw over.signal.aborted ? over.signal.reason : error;
  } finally {
    place.failures = isOfUse() ? 0 : place.failures;
    over.abort();
    await guard;
  }
  if (!isOfUse()) {
    throw passing(`${client.description} ends the watch of ${collection.path} at once.`);
  }
}

function watchCall({ path, query }: Collection, version: string | undefined): Omit<ApiCall, "signal"> {
  return {
    method: "GET",
    path,
    query: {
      ...query,
      watch: "true",
      allowWatchBookmarks: "true",
      timeoutSeconds: String(watchSeconds),
      ...(version === undefined ? {} : { resourceVersion: version }),
    },
  };
}

function take(line: string, { place, sink }: WatchTask): void {
  const event = parsedLine(line);
  const object = objectIn(event?.["object"]);
  switch (event?.["type"]) {
    case "ADDED":
    case "MODIFIED":
      if (object !== undefined) {
        sink.put(object);
      }
      break;
    case "DELETED":
      if (object !== undefined) {
        sink.remove(object);
      }
      break;
    case "BOOKMARK":
      break;
    default:
      throw errorInWatch(event?.["object"]);
  }
  const { resourceVersion } = metadataOf(event?.["object"]);
  place.version = typeof resourceVersion === "string" ? resourceVersion : place.version;
}

/** A line that a cut connection left incomplete is no event. */
function parsedLine(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function objectIn(value: unknown): KubernetesObject | undefined {
  const { name } = metadataOf(value);
  return isJsonObject(value) && typeof name === "string" ? (value as KubernetesObject) : undefined;
}

function metadataOf(value: unknown): JsonObject {
  const metadata = isJsonObject(value) ? value["metadata"] : undefined;
  return isJsonObject(metadata) ? metadata : {};
}

/** An `ERROR` event carries a Status. Whatever it says, the next list is refused for the same reason if it lasts. */
function errorInWatch(status: unknown): ApiError {
  const { code, message } = isJsonObject(status) ? status : {};
  return new ApiError("ServiceUnavailable", typeof message === "string" ? message : "The watch was cut off.", {
    transient: true,
    ...(typeof code === "number" && code >= 400 ? { status: code } : {}),
  });
}

function passing(message: string): ApiError {
  return new ApiError("ServiceUnavailable", message, { transient: true });
}

/** @throws what is no passing problem of the server or the connection. */
function problemOf(error: unknown): ApiError {
  if (error instanceof ApiError && (error.transient || error.status === gone)) {
    return error;
  }
  throw error;
}

/** Doubles from 100 ms up to 5 s: a restarted server is noticed soon, and one that is away is left in peace. */
function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(5_000, 100 * 2 ** Math.max(0, failures - 1));
  return Math.round(ceiling / 2 + (random() * ceiling) / 2);
}
