import type { JsonObject, JsonValue } from "@rad/core";
import type { ChangeKind, Effect, ResourcePreview, Requester } from "@rad/resources";
import type { DocumentPut, Lease } from "@rad/store";

/**
 * Something that resources are sent to: our own resource types, clouds, Kubernetes. Whoever calls has asked for
 * permission already. A target stores records in the transaction that has the effect; one whose effects lie outside of
 * our store is an `ExternalTarget`, of which `recordAfterwards` makes one of these.
 *
 * Bodies that a target resolves to are whole resources, with their `id`.
 * @throws ApiError from every method when the request is refused or fails; its code and message reach the user. One that
 *   is `transient` says that the target is away: the call is repeated until it is back.
 */
export interface DeploymentTarget {
  /** Refuses a resource whose type does not exist, or not in this version, whatever else is known of it. */
  checkType(order: TypeOrder): Promise<void>;

  /** Creates or replaces a resource, and stores what `record` gives together with the effect. */
  put(order: PutOrder): Promise<Sent>;

  /**
   * Waits for a change that `put` left running; `tracking` is what it gave then, perhaps in a process that is gone.
   * May be called again after it has answered.
   */
  finish(order: FinishOrder): Promise<JsonObject>;

  /** Resolves to `undefined` when there is no such resource. */
  read(order: ReadOrder): Promise<JsonObject | undefined>;

  /** Removes a resource. One that is gone already was removed. */
  delete(order: DeleteOrder): Promise<Deleted>;

  /** Waits for a removal that `delete` left running. */
  finishDelete(order: FinishOrder): Promise<void>;

  /** `POST {id}/{action}` */
  act(order: ActionOrder): Promise<JsonValue>;

  /** What `put` would make of a resource. Changes nothing. */
  preview(order: PreviewOrder): Promise<ResourcePreview>;
}

export interface TypeOrder {
  /** Without a version: `Applications.Core/containers`. */
  readonly type: string;
  readonly apiVersion: string | undefined;
  /** Absent where only the provider knows it, and has not told it yet. From then on every order has it. */
  readonly id: string | undefined;
}

export interface ResourceOrder extends TypeOrder {
  readonly requester: Requester;
  /** As the template has it: all names of a nested type, `parent/child`. */
  readonly name: string | undefined;
  /** What the template uses the resource through. */
  readonly extension: ExtensionConfig | undefined;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface ExtensionConfig {
  readonly name: string;
  readonly version: string;
  /** Evaluated. May hold secrets, which the requester has hidden. */
  readonly config: JsonObject;
}

/** A change, which may be sent more than once. */
export interface ChangeOrder extends ResourceOrder {
  /**
   * The same whenever the same change is sent again, in this process or a later one; another change has another. A
   * change that was refused or failed, and is tried again because the template says so, is another one.
   */
  readonly key: string;
}

export interface ContentOrder extends ResourceOrder {
  readonly method: "PUT" | "PATCH";
  readonly body: JsonObject;
  /** JSON pointers into `body`: values made of a secret, to be sealed whatever the type says. */
  readonly secrets: readonly string[];
  /** A resource that is there already is left alone. */
  readonly onlyIfAbsent: boolean;
}

export interface PutOrder extends ChangeOrder, ContentOrder {
  /** An earlier send of this change had no answer; it may have arrived. */
  readonly sentBefore: boolean;
  /** The right to write; a deployment that was taken over elsewhere must not change anything any more. */
  readonly lease: Lease;
  /** The record of a change that is about to be sent, for targets that cannot store `record` with the effect. */
  readonly intent: () => DocumentPut;
  readonly record: (effect: SentEffect) => DocumentPut;
}

/** The id is absent where the provider tells it only when the resource is finished. */
export type SentEffect = Omit<Effect, "id"> & { readonly id: string | undefined };

export type Sent =
  /** Ended within the call; `body` is the whole resource. */
  | { readonly kind: "done"; readonly change: ChangeKind; readonly body: JsonObject }
  | { readonly kind: "accepted"; readonly change: ChangeKind; readonly tracking: string };

/** `key` is that of the change which was left running. */
export interface FinishOrder extends ChangeOrder {
  readonly tracking: string;
  /** What was sent, where no id is known to find the resource by. */
  readonly body: JsonObject | undefined;
}

export interface ReadOrder extends ResourceOrder {
  /** What the template says of the resource, for providers that find it by its properties. */
  readonly body: JsonObject | undefined;
}

export interface DeleteOrder extends ChangeOrder {
  readonly lease: Lease;
}

export type Deleted = { readonly kind: "done" } | { readonly kind: "accepted"; readonly tracking: string };

export interface ActionOrder extends ChangeOrder {
  readonly action: string;
  readonly body: JsonValue | undefined;
  /** Arguments of a resource method by position. */
  readonly args: readonly JsonValue[];
}

export interface PreviewOrder extends ContentOrder {
  /** Resources that the deployment changes before; all others are as they are now. */
  readonly expected?: ExpectedBodies;
  /** Asks also for what carrying the change out would change elsewhere, such as objects of a cluster. */
  readonly nested?: boolean;
  /** JSON pointers into the body: values that are known only when it is sent. */
  readonly unknown?: readonly string[];
}

/** By id: resources that the deployment changes before, as far as that is known; `undefined` for all others. */
export type ExpectedBodies = (id: string) => JsonObject | undefined;
