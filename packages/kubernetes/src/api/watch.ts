import { type ApiError, type Clock, isJsonObject } from "@rad/core";
import type { KubernetesObject } from "../kubernetes-object.ts";
import type { ApiClient } from "./api-client.ts";
import type { Collection, CollectionSink } from "./follow-collection.ts";
import { followCollection } from "./follow-collection.ts";
import { untilAborted } from "./until-aborted.ts";

/** The key under which every object of a collection is found. */
export const everything = "*";

/** The key of the object with this name. */
export function named(name: string): string {
  return `name:${name}`;
}

/** The key of objects that this uid owns, and of events about it. */
export function ofOwner(uid: string): string {
  return `owner:${uid}`;
}

/**
 * The watches of one client. Observers of the same collection share one, which starts with the first of them and ends with
 * the last: 200 Deployments in a namespace cost as many watches as one.
 */
export class Watches {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly #random: () => number;
  readonly #open = new Map<string, SharedWatch>();

  constructor(client: ApiClient, clock: Clock, random: () => number = Math.random) {
    this.client = client;
    this.clock = clock;
    this.#random = random;
  }

  /** How many watches are open now. */
  get open(): number {
    return this.#open.size;
  }

  observe(): Observer {
    return new Observer((collection) => this.#join(collection));
  }

  #join(collection: Collection): SharedWatch {
    const key = keyOf(collection);
    const open = this.#open.get(key);
    if (open !== undefined) {
      return open;
    }
    const watch = new SharedWatch(() => {
      // A watch that failed may have been replaced by a new one meanwhile.
      if (this.#open.get(key) === watch) {
        this.#open.delete(key);
      }
    });
    this.#open.set(key, watch);
    watch.start({ client: this.client, clock: this.clock, random: this.#random }, collection);
    return watch;
  }
}

/**
 * Reads collections on behalf of one waiter, and wakes it when something changes that it has read. Dispose of it to leave
 * the watches.
 */
export class Observer implements Disposable {
  readonly #join: (collection: Collection) => SharedWatch;
  readonly #watches = new Map<string, SharedWatch>();
  #dirty = false;
  #wake: (() => void) | undefined;

  constructor(join: (collection: Collection) => SharedWatch) {
    this.#join = join;
  }

  /** Resolves when the collection has been listed. A collection that cannot be is left again. */
  async join(collection: Collection, signal: AbortSignal): Promise<void> {
    const key = keyOf(collection);
    const watch = this.#watches.get(key) ?? this.#join(collection);
    this.#watches.set(key, watch);
    watch.enter(this);
    try {
      await untilAborted(watch.listed, signal);
    } catch (error) {
      this.#watches.delete(key);
      watch.leave(this);
      throw error;
    }
  }

  /** What a joined collection holds under the key now. @throws what the watch failed with. */
  read(collection: Collection, key: string): KubernetesObject[] {
    const watch = this.#watches.get(keyOf(collection));
    return watch === undefined ? [] : watch.read(key, this);
  }

  /** Why the server cannot be reached, if it cannot. */
  get away(): ApiError | undefined {
    return [...this.#watches.values()].find(({ problem }) => problem !== undefined)?.problem;
  }

  /** Resolves when something has changed since the last call resolved. */
  async changed(signal: AbortSignal): Promise<void> {
    if (!this.#dirty) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      try {
        await untilAborted(promise, signal);
      } finally {
        this.#wake = undefined;
      }
    }
    this.#dirty = false;
  }

  touch(): void {
    this.#dirty = true;
    this.#wake?.();
  }

  [Symbol.dispose](): void {
    for (const watch of this.#watches.values()) {
      watch.leave(this);
    }
    this.#watches.clear();
  }
}

/** One watch and what it has seen, indexed, so that a change wakes only those who have read what changed. */
class SharedWatch implements CollectionSink {
  readonly #closed: () => void;
  readonly #stop = new AbortController();
  readonly #listed = Promise.withResolvers<void>();
  readonly #members = new Set<Observer>();
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #byKey = new Map<string, Map<string, KubernetesObject>>();
  readonly #readers = new Map<string, Set<Observer>>();
  #failure: { readonly error: unknown } | undefined;
  problem: ApiError | undefined;

  constructor(closed: () => void) {
    this.#closed = closed;
    // Nobody may be waiting for the first list when it fails.
    this.#listed.promise.catch(() => undefined);
  }

  get listed(): Promise<void> {
    return this.#listed.promise;
  }

  start(deps: Parameters<typeof followCollection>[0], collection: Collection): void {
    void followCollection(deps, collection, this, this.#stop.signal).catch((error: unknown) => {
      this.#failure = { error };
      this.#listed.reject(error);
      this.#closed();
      this.#wake(this.#members);
    });
  }

  enter(observer: Observer): void {
    this.#members.add(observer);
  }

  leave(observer: Observer): void {
    this.#members.delete(observer);
    for (const [key, readers] of this.#readers) {
      readers.delete(observer);
      if (readers.size === 0) {
        this.#readers.delete(key);
      }
    }
    if (this.#members.size === 0) {
      this.#closed();
      this.#stop.abort();
    }
  }

  read(key: string, reader: Observer): KubernetesObject[] {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    const readers = this.#readers.get(key) ?? new Set();
    this.#readers.set(key, readers.add(reader));
    return [...(this.#byKey.get(key)?.values() ?? [])];
  }

  replace(objects: readonly KubernetesObject[]): void {
    const listed = new Set(objects.map(identityOf));
    for (const [identity, object] of this.#objects) {
      if (!listed.has(identity)) {
        this.remove(object);
      }
    }
    for (const object of objects) {
      this.put(object);
    }
    this.#listed.resolve();
  }

  put(object: KubernetesObject): void {
    const identity = identityOf(object);
    const before = this.#objects.get(identity);
    if (before !== undefined && before.metadata["resourceVersion"] === object.metadata["resourceVersion"]) {
      return;
    }
    this.#objects.set(identity, object);
    const keys = keysOf(object);
    for (const key of before === undefined ? [] : keysOf(before)) {
      if (!keys.includes(key)) {
        this.#unindex(key, identity);
      }
    }
    for (const key of keys) {
      const objects = this.#byKey.get(key) ?? new Map<string, KubernetesObject>();
      this.#byKey.set(key, objects.set(identity, object));
      this.#wake(this.#readers.get(key));
    }
  }

  remove(object: KubernetesObject): void {
    const identity = identityOf(object);
    const before = this.#objects.get(identity);
    if (before === undefined) {
      return;
    }
    this.#objects.delete(identity);
    for (const key of keysOf(before)) {
      this.#unindex(key, identity);
    }
  }

  away(problem: ApiError | undefined): void {
    this.problem = problem;
  }

  #unindex(key: string, identity: string): void {
    const objects = this.#byKey.get(key);
    objects?.delete(identity);
    if (objects?.size === 0) {
      this.#byKey.delete(key);
    }
    this.#wake(this.#readers.get(key));
  }

  #wake(observers: ReadonlySet<Observer> | undefined): void {
    for (const observer of observers ?? []) {
      observer.touch();
    }
  }
}

function keyOf({ path, query = {} }: Collection): string {
  return `${path}?${new URLSearchParams(query).toString()}`;
}

function identityOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}

function keysOf(object: KubernetesObject): string[] {
  const { name, ownerReferences } = object.metadata;
  const owners = Array.isArray(ownerReferences) ? ownerReferences : [];
  // The object that an event is about is not its owner, yet found the same way.
  const uids = [...owners, object["involvedObject"]].flatMap((reference) =>
    isJsonObject(reference) && typeof reference["uid"] === "string" ? [reference["uid"]] : [],
  );
  return [everything, named(name), ...new Set(uids.map(ofOwner))];
}
