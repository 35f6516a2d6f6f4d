import { ApiError, atOnce, sameJson } from "@rad/core";
import type { Clock } from "@rad/core";
import type { ApiAnswer, ApiCall, ApiClient } from "../api/api-client.ts";
import { Watches } from "../api/watch.ts";
import { checkName, checkObject, describeObject } from "../check-object.ts";
import type { KubernetesObject, ObjectName } from "../kubernetes-object.ts";
import { fieldManager } from "../namespace-object.ts";
import type { Applied, CallOptions, ObjectTarget, Preview, ReadyOptions } from "../object-target.ts";
import { isUnserved, unlessAbsent } from "./absence.ts";
import { AppliedChanges, withoutBookkeeping, withoutManagedFields } from "./applied-changes.ts";
import { deleteObject } from "./delete-object.ts";
import { Discovery } from "./discovery.ts";
import type { ServedKind } from "./discovery.ts";
import { missingKind } from "./missing-kind.ts";
import { Namespaces } from "./namespaces.ts";
import { collectionPath, objectPath } from "./object-path.ts";

/** An object with where it goes. */
interface Placed {
  readonly object: KubernetesObject;
  readonly name: ObjectName;
  readonly path: string;
  readonly collection: string;
}

export class ClusterTarget implements ObjectTarget, AsyncDisposable {
  readonly kind = "cluster";
  readonly description: string;
  readonly #client: ApiClient;
  readonly #clock: Clock;
  readonly #deleteTimeoutMs: number;
  readonly #discovery: Discovery;
  readonly #namespaces: Namespaces;
  readonly #watches: Watches;
  readonly #changes = new AppliedChanges();

  constructor(client: ApiClient, clock: Clock, deleteTimeoutMs: number) {
    this.description = client.description;
    this.#client = client;
    this.#clock = clock;
    this.#deleteTimeoutMs = deleteTimeoutMs;
    this.#discovery = new Discovery(client);
    this.#namespaces = new Namespaces(client);
    this.#watches = new Watches(client, clock);
  }

  async apply(object: KubernetesObject, { signal }: CallOptions): Promise<Applied> {
    return await this.#placed(object, signal, async (placed) => {
      const started = this.#clock.monotonicMs();
      const bodyText = JSON.stringify(object);
      const answer = await this.#inNamespace(
        placed.name,
        signal,
        async () => await this.#patch(placed, { bodyText }, signal),
      );
      const change = this.#changes.changeOf(bodyText, answer, this.#clock.monotonicMs() - started);
      return { change, object: withoutManagedFields(answer.body) };
    });
  }

  async preview(object: KubernetesObject, { signal }: CallOptions): Promise<Preview> {
    return await this.#placed(object, signal, async (placed) => {
      const before = await this.#get(placed, signal);
      const after = await this.#dryRun(placed, signal);
      if (before === undefined) {
        return { change: "created", before, after };
      }
      const isSame = atOnce(sameJson(withoutBookkeeping(before), withoutBookkeeping(after)));
      return { change: isSame ? "unchanged" : "changed", before, after };
    });
  }

  async read(name: ObjectName, { signal }: CallOptions): Promise<KubernetesObject | undefined> {
    checkName(name);
    return await this.#served(name, signal, async (served) => {
      // The objects of a kind go with its definition.
      return served && (await this.#get({ name, path: objectPath(served, name) }, signal));
    });
  }

  async delete(name: ObjectName, { signal }: CallOptions): Promise<void> {
    checkName(name);
    await this.#served(name, signal, async (served) => {
      if (served === undefined) {
        return;
      }
      const deps = { client: this.#client, watches: this.#watches, timeoutMs: this.#deleteTimeoutMs };
      const object = {
        collection: collectionPath(served, name),
        path: objectPath(served, name),
        name: name.name,
        subject: describeObject(name),
        hasDependents: ["apps", "batch"].includes(served.group),
      };
      await deleteObject(deps, object, signal);
    });
    if (name.kind === "Namespace") {
      this.#namespaces.forget(name.name);
    }
  }

  async ready(object: KubernetesObject, options: ReadyOptions): Promise<KubernetesObject> {
    const { readyObject } = await import("../readiness/ready-object.ts");
    const collection = async (other: KubernetesObject, { signal }: CallOptions): Promise<string> =>
      await this.#placed(other, signal, async (placed) => await Promise.resolve(placed.collection));
    return withoutManagedFields(
      await readyObject({ watches: this.#watches, collectionPath: collection }, object, options),
    );
  }

  async serves(group: string, kind: string, { signal }: CallOptions): Promise<boolean> {
    signal.throwIfAborted();
    return (await this.#discovery.find({ group, kind }, signal)) !== undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.resolve(this.#client[Symbol.dispose]());
  }

  async #placed<T>(object: KubernetesObject, signal: AbortSignal, work: (placed: Placed) => Promise<T>): Promise<T> {
    const name = checkObject(object);
    const { apiVersion, kind } = object;
    const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
    return await this.#served({ group: name.group, version, kind }, signal, async (served) => {
      if (served === undefined) {
        throw missingKind(describeObject(name), apiVersion, kind, this.description);
      }
      return await work({ object, name, path: objectPath(served, name), collection: collectionPath(served, name) });
    });
  }

  /** Definitions come, go and change their versions: a kind that is not where it was is looked up once more. */
  async #served<T>(
    kind: { readonly group: string; readonly version?: string; readonly kind: string },
    signal: AbortSignal,
    work: (served: ServedKind | undefined) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    try {
      return await work(await this.#discovery.find(kind, signal));
    } catch (error) {
      if (!isUnserved(error)) {
        throw error;
      }
    }
    this.#discovery.forget(kind.group);
    return await work(await this.#discovery.find(kind, signal));
  }

  async #get(
    { path, name }: Pick<Placed, "path" | "name">,
    signal: AbortSignal,
  ): Promise<KubernetesObject | undefined> {
    const subject = describeObject(name);
    const found = await unlessAbsent(this.#client.request({ method: "GET", path, subject, signal }));
    return found && withoutManagedFields(found);
  }

  async #patch(
    placed: Placed,
    { query, bodyText }: Pick<ApiCall, "query" | "bodyText">,
    signal: AbortSignal,
  ): Promise<ApiAnswer> {
    return await this.#client.exchange({
      method: "PATCH",
      path: placed.path,
      query: { fieldManager, fieldValidation: "Strict", ...query },
      contentType: "application/apply-patch+yaml",
      body: placed.object,
      ...(bodyText === undefined ? {} : { bodyText }),
      subject: describeObject(placed.name),
      signal,
    });
  }

  /** In a namespace that is still to come, nothing can be tried. */
  async #dryRun(placed: Placed, signal: AbortSignal): Promise<KubernetesObject> {
    try {
      const { body } = await this.#patch(placed, { query: { dryRun: "All" } }, signal);
      return withoutManagedFields(body);
    } catch (error) {
      if (isMissingNamespace(error, placed.name)) {
        return placed.object;
      }
      throw error;
    }
  }

  /** Somebody may have deleted the namespace since it was made sure of, so that is done once more. */
  async #inNamespace<T>(name: ObjectName, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { namespace } = name;
    if (namespace === undefined) {
      return await work();
    }
    for (let isFirst = true; ; isFirst = false) {
      const unwritten = await this.#namespaces.ensure(namespace, signal);
      try {
        return await work();
      } catch (error) {
        const isMissing = isMissingNamespace(error, name);
        if (isMissing || (error instanceof ApiError && error.code === "Conflict" && error.transient)) {
          this.#namespaces.forget(namespace);
        }
        if (isMissing && unwritten !== undefined) {
          const problem = `${describeObject(name)}: ${this.description} has no such namespace, and it cannot be created.`;
          throw new ApiError(unwritten.code, `${problem} ${unwritten.message}`);
        }
        if (!isMissing || !isFirst) {
          throw error;
        }
      }
    }
  }
}

function isMissingNamespace(error: unknown, { namespace }: ObjectName): boolean {
  return (
    error instanceof ApiError && error.code === "NotFound" && namespace !== undefined && error.target === namespace
  );
}
