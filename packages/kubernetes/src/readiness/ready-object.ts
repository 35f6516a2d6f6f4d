import { ApiError, objectMember } from "@rad/core";
import type { Clock } from "@rad/core";
import type { Collection } from "../api/follow-collection.ts";
import type { Observer, Watches } from "../api/watch.ts";
import { named, ofOwner } from "../api/watch.ts";
import type { KubernetesObject } from "../kubernetes-object.ts";
import { nameOf } from "../kubernetes-object.ts";
import { idOfObject } from "../object-id.ts";
import type { ReadyOptions } from "../object-target.ts";
import type { Evidence, Look, Rule } from "./rules.ts";
import { ruleFor } from "./rules.ts";
import type { State } from "./state.ts";
import { waiting } from "./state.ts";

export interface ReadinessDeps {
  /** Share one between all waits on a cluster: that is what keeps the number of watches small. */
  readonly watches: Watches;
  /** The path of the collection that the object is in, by discovery: `/apis/example.com/v1/namespaces/shop/widgets`. */
  readonly collectionPath: (object: KubernetesObject, options: { readonly signal: AbortSignal }) => Promise<string>;
}

export interface WaitOptions extends ReadyOptions {
  /** How long a refusal that a controller tries to overcome may last, such as an exceeded quota. Ten seconds when absent. */
  readonly graceMs?: number;
}

const tenMinutesMs = 600_000;
const tenSecondsMs = 10_000;
/** An object that the watch does not show for so long is asked for by name: it may not exist. */
const unseenMs = 2_000;

/**
 * Resolves to the object as soon as it does its work; at once for kinds that have no such state. Pass what `apply` gave:
 * its version tells an older state of the object, still in a shared watch, from the one to wait for.
 *
 * @throws ApiError `ObjectNotReady` with the reason, at once where waiting does not help, else at the time-out;
 *   `Conflict` when the object is deleted meanwhile. It is `transient` if the cluster could not be reached at the time-out.
 */
export async function readyObject(
  deps: ReadinessDeps,
  object: KubernetesObject,
  options: WaitOptions,
): Promise<KubernetesObject> {
  const rule = ruleFor(object);
  if (rule === undefined) {
    return object;
  }
  return await new Wait(deps, rule, options).run(object);
}

class Wait {
  readonly #watches: Watches;
  readonly #collectionPath: ReadinessDeps["collectionPath"];
  readonly #rule: Rule;
  readonly #options: WaitOptions;
  readonly #endsAtMs: number;
  #bindingMode: string | undefined;
  #path = "";

  constructor({ watches, collectionPath }: ReadinessDeps, rule: Rule, options: WaitOptions) {
    this.#watches = watches;
    this.#collectionPath = collectionPath;
    this.#rule = rule;
    this.#options = options;
    this.#endsAtMs = this.#nowMs() + (options.timeoutMs ?? tenMinutesMs);
  }

  async run(given: KubernetesObject): Promise<KubernetesObject> {
    this.#path = await this.#pathOf(given);
    const isApplied = typeof given.metadata["resourceVersion"] === "string";
    const object = isApplied ? given : await this.#get(given);
    this.#bindingMode = await this.#bindingModeOf(object);
    if (this.#rule.evidence.length === 0 && this.#stateOf(object, undefined).kind === "ready") {
      return object;
    }
    using observer = this.#watches.observe();
    await this.#join(observer, object);
    return await this.#wait(observer, object);
  }

  async #wait(observer: Observer, applied: KubernetesObject): Promise<KubernetesObject> {
    const { progress, signal, graceMs = tenSecondsMs } = this.#options;
    const startedAtMs = this.#nowMs();
    using alarm = new Alarm(this.#watches.clock, () => observer.touch());
    let failingSinceMs: number | undefined;
    let seen: KubernetesObject | undefined;
    let told: string | undefined;
    for (;;) {
      const object = this.#current(observer, applied);
      if (object === undefined) {
        await this.#checkAbsence({ applied, seen: seen !== undefined, forMs: this.#nowMs() - startedAtMs });
      } else if (object.metadata["deletionTimestamp"] !== undefined) {
        throw this.#deleted(object);
      }
      const state = object === undefined ? waiting("it does not show up") : this.#stateOf(object, observer);
      seen = object ?? seen;
      if (state.kind === "ready" && object !== undefined) {
        return object;
      }
      const message = state.kind === "ready" ? "" : state.message;
      failingSinceMs = state.kind === "failing" ? (failingSinceMs ?? this.#nowMs()) : undefined;
      const graceEndsAtMs = failingSinceMs === undefined ? Infinity : failingSinceMs + graceMs;
      if (state.kind === "failed" || graceEndsAtMs <= this.#nowMs()) {
        throw this.#notReady(applied, message);
      }
      if (message !== told) {
        told = message;
        progress?.(message);
      }
      const nowMs = this.#nowMs();
      if (this.#endsAtMs <= nowMs) {
        throw this.#timedOut(observer, seen ?? applied, message);
      }
      alarm.ringAt(Math.min(this.#endsAtMs, graceEndsAtMs, object === undefined ? nowMs + unseenMs : Infinity));
      await observer.changed(signal);
    }
  }

  /** What the watch shows, unless that is older than what was applied. */
  #current(observer: Observer, applied: KubernetesObject): KubernetesObject | undefined {
    const [object] = observer.read(this.#own(), named(applied.metadata.name));
    return object !== undefined && isOlder(object, applied) ? undefined : object;
  }

  #stateOf(object: KubernetesObject, observer: Observer | undefined): State {
    const look: Look = {
      object,
      bindingMode: this.#bindingMode,
      owned: (evidence, uid) =>
        uid === undefined || observer === undefined ? [] : observer.read(collectionOf(evidence, object), ofOwner(uid)),
    };
    return this.#rule.stateOf(look);
  }

  async #join(observer: Observer, object: KubernetesObject): Promise<void> {
    const collections = this.#rule.evidence.map((evidence) => collectionOf(evidence, object));
    await this.#beforeTimeout(object, observer, (either) =>
      Promise.all([
        observer.join(this.#own(), either),
        ...collections.map((collection) => this.#joinIfAllowed(observer, collection, either)),
      ]),
    );
  }

  /** Events only explain, so whoever may not read them gets less explanation and no error. */
  async #joinIfAllowed(observer: Observer, collection: Collection, signal: AbortSignal): Promise<void> {
    try {
      await observer.join(collection, signal);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "Forbidden" && collection.path.endsWith("/events"))) {
        throw error;
      }
    }
  }

  /** Passes on a signal that aborts at the time-out, too, with the error to throw then. */
  async #beforeTimeout(
    object: KubernetesObject,
    observer: Observer,
    task: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    const over = new AbortController();
    const { signal } = this.#options;
    const timer = this.#watches.clock
      .sleep(Math.max(0, this.#endsAtMs - this.#nowMs()), AbortSignal.any([signal, over.signal]))
      .then(
        () => over.abort(this.#timedOut(observer, object, "its state cannot be read")),
        () => undefined,
      );
    try {
      await task(AbortSignal.any([signal, over.signal]));
    } finally {
      over.abort();
      await timer;
    }
  }

  async #checkAbsence(absence: { applied: KubernetesObject; seen: boolean; forMs: number }): Promise<void> {
    if (absence.seen) {
      throw this.#deleted(absence.applied);
    }
    if (absence.forMs >= unseenMs) {
      await this.#get(absence.applied).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.transient)) {
          throw error;
        }
      });
    }
  }

  async #get(object: KubernetesObject): Promise<KubernetesObject> {
    const path = `${this.#path}/${encodeURIComponent(object.metadata.name)}`;
    const found = await this.#watches.client.request({ method: "GET", path, signal: this.#options.signal });
    return found as KubernetesObject;
  }

  async #pathOf(object: KubernetesObject): Promise<string> {
    const { served } = this.#rule;
    return served === undefined
      ? await this.#collectionPath(object, { signal: this.#options.signal })
      : `${served.prefix}/namespaces/${namespaceOf(object)}/${served.plural}`;
  }

  #own(): Collection {
    return { path: this.#path };
  }

  async #bindingModeOf(object: KubernetesObject): Promise<string | undefined> {
    const name = objectMember(object, "spec")["storageClassName"];
    if (object.kind !== "PersistentVolumeClaim" || typeof name !== "string" || name === "") {
      return undefined;
    }
    const path = `/apis/storage.k8s.io/v1/storageclasses/${encodeURIComponent(name)}`;
    try {
      const storageClass = await this.#watches.client.request({ method: "GET", path, signal: this.#options.signal });
      return typeof storageClass["volumeBindingMode"] === "string" ? storageClass["volumeBindingMode"] : undefined;
    } catch (error) {
      // Without the right to read classes, or without the class, the claim is ready when it is bound.
      if (error instanceof ApiError && (error.code === "Forbidden" || error.code === "NotFound")) {
        return undefined;
      }
      throw error;
    }
  }

  #notReady(object: KubernetesObject, message: string): ApiError {
    return new ApiError("ObjectNotReady", `${describe(object)} is not ready: ${message}`, { target: targetOf(object) });
  }

  #timedOut(observer: Observer, object: KubernetesObject, message: string): ApiError {
    const { timeoutMs = tenMinutesMs, waitedMs = 0 } = this.#options;
    const seconds = Math.round((waitedMs + timeoutMs) / 1_000);
    const text = this.#rule.timeoutText?.(object);
    const away = observer.away === undefined ? "" : ` ${observer.away.message}`;
    return new ApiError(
      "ObjectNotReady",
      `${text === undefined ? "" : `${text}. `}${describe(object)} is not ready after ${seconds} seconds: ${message}.${away}`,
      { target: targetOf(object), transient: observer.away !== undefined },
    );
  }

  #deleted(object: KubernetesObject): ApiError {
    return new ApiError("Conflict", `${describe(object)} was deleted before it was ready. Deploy it again.`, {
      target: targetOf(object),
    });
  }

  #nowMs(): number {
    return this.#watches.clock.monotonicMs();
  }
}

/** Rings at the time that it was last set to. Setting it to the same time again costs nothing, however much changes. */
class Alarm implements Disposable {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #atMs = Infinity;
  #stop = new AbortController();

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  ringAt(atMs: number): void {
    if (atMs === this.#atMs) {
      return;
    }
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#atMs = atMs;
    this.#clock.sleep(atMs - this.#clock.monotonicMs(), this.#stop.signal).then(
      () => {
        this.#atMs = Infinity; // a timer may be early, and is then set once more
        this.#ring();
      },
      () => undefined,
    );
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }
}

function collectionOf(evidence: Evidence, object: KubernetesObject): Collection {
  const prefix = evidence === "replicasets" ? "/apis/apps/v1" : "/api/v1";
  const path = `${prefix}/namespaces/${namespaceOf(object)}/${evidence}`;
  return evidence === "events" ? { path, query: { fieldSelector: "type=Warning" } } : { path };
}

function namespaceOf({ metadata }: KubernetesObject): string {
  return encodeURIComponent(metadata.namespace ?? "default");
}

function describe({ kind, metadata }: KubernetesObject): string {
  return `${kind} '${metadata.name}'${metadata.namespace === undefined ? "" : ` in namespace '${metadata.namespace}'`}`;
}

function targetOf(object: KubernetesObject): string {
  return idOfObject(nameOf(object));
}

/** Versions of one object are decimal numbers that grow; of anything else nothing can be said. */
function isOlder(object: KubernetesObject, than: KubernetesObject): boolean {
  const [version, other] = [object, than].map(({ metadata }) => metadata["resourceVersion"]);
  const isNumber = (value: unknown): value is string => typeof value === "string" && /^[1-9]\d*$/.test(value);
  return isNumber(version) && isNumber(other) && BigInt(version) < BigInt(other);
}
