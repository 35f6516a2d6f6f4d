import type { KubernetesObject, ObjectName } from "./kubernetes-object.ts";

/**
 * Where Kubernetes objects go: a cluster, or a folder of manifests. One contract suite holds for both.
 *
 * @throws ApiError from every method, with a text that says what is wrong, where, and what to do next. It is `transient`
 *   when the cluster is away, throttles or restarts: the same call may work later. No text holds the value of a Secret.
 */
export interface ObjectTarget {
  readonly kind: "cluster" | "folder";
  /** For messages: `the cluster 'kind-dev'`, `the folder '/data/manifests'`. */
  readonly description: string;

  /**
   * Server-side apply with our field manager. Fields that somebody else owns are not taken over: `Conflict` names the
   * fields and their owner.
   */
  apply(object: KubernetesObject, options: CallOptions): Promise<Applied>;

  /** What `apply` would make of the object, by server-side dry run. Changes nothing. */
  preview(object: KubernetesObject, options: CallOptions): Promise<Preview>;

  /** Resolves to `undefined` when there is no such object, or no such kind. */
  read(name: ObjectName, options: CallOptions): Promise<KubernetesObject | undefined>;

  /**
   * Resolves when the object is gone, or was never there. Waits for finalizers; what does not go in time is a
   * `Conflict` that names the object and what holds it.
   */
  delete(name: ObjectName, options: CallOptions): Promise<void>;

  /**
   * Resolves when the object does its work, at once for kinds that have no such state.
   * @throws ApiError with the reason a person needs: image pull, crash loop, unschedulable, probe failure, quota.
   */
  ready(object: KubernetesObject, options: ReadyOptions): Promise<KubernetesObject>;

  /** Whether the kind is served, by discovery. A folder serves every kind. */
  serves(group: string, kind: string, options: CallOptions): Promise<boolean>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
}

export interface ReadyOptions extends CallOptions {
  /** Called with what the object still waits for, whenever that changes. */
  readonly progress?: (message: string) => void;
  /** After this time the reason becomes the error; 10 minutes when absent. */
  readonly timeoutMs?: number;
  /** How long earlier calls have waited for the object: the error tells the time that all have taken. */
  readonly waitedMs?: number;
}

export interface Applied {
  readonly change: "created" | "changed" | "unchanged";
  /** As the target has it now. */
  readonly object: KubernetesObject;
}

export interface Preview {
  readonly change: Applied["change"];
  readonly before: KubernetesObject | undefined;
  readonly after: KubernetesObject;
}
