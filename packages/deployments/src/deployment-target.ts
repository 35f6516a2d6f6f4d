import type { JsonObject, JsonValue } from "@rad/core";
import type { ChangeKind, Effect, ResourcePreview, Requester } from "@rad/resources";
import type { DocumentPut, Lease } from "@rad/store";

/**
 * Something that resources are sent to: our own resource types, and later the clouds and Kubernetes. Whoever calls has
 * asked for permission already.
 * @throws ApiError from every method when the request is refused or fails; its code and message reach the user.
 */
export interface DeploymentTarget {
  /** Refuses a resource whose type does not exist, or not in this version, whatever else is known of it. */
  checkType(id: string, apiVersion: string | undefined): Promise<void>;

  /**
   * Creates or replaces a resource. Whatever `record` gives is stored in one transaction with the effect, or right
   * after it where the effect lies outside of our store, so that a resumed deployment knows what was sent.
   */
  put(order: PutOrder): Promise<Sent>;

  /**
   * Waits for a change that `put` left running; `tracking` is what it gave then, perhaps in a process that is gone.
   * Resolves to the whole resource.
   */
  finish(order: ResourceOrder & { readonly tracking: string }): Promise<JsonObject>;

  /** Resolves to the whole resource, or `undefined` when there is none. */
  read(order: ResourceOrder): Promise<JsonObject | undefined>;

  /** `POST {id}/{action}` */
  act(order: ActionOrder): Promise<JsonValue>;

  /** What `put` would make of a resource. Changes nothing. */
  preview(order: PreviewOrder): Promise<ResourcePreview>;
}

export interface ResourceOrder {
  readonly requester: Requester;
  readonly id: string;
  readonly apiVersion: string | undefined;
  readonly signal: AbortSignal;
}

export interface PutOrder extends ResourceOrder {
  readonly method: "PUT" | "PATCH";
  readonly body: JsonObject;
  /** JSON pointers into `body`: values made of a secret, to be sealed whatever the type says. */
  readonly secrets: readonly string[];
  /** A resource that is there already is left alone. */
  readonly onlyIfAbsent: boolean;
  /** The right to write; a deployment that was taken over elsewhere must not change anything any more. */
  readonly lease: Lease;
  readonly record: (effect: Effect) => DocumentPut;
}

export type Sent =
  /** Ended within the call; `body` is the whole resource. */
  | { readonly kind: "done"; readonly change: ChangeKind; readonly body: JsonObject }
  | { readonly kind: "accepted"; readonly change: ChangeKind; readonly tracking: string };

export interface ActionOrder extends ResourceOrder {
  readonly action: string;
  readonly body: JsonValue | undefined;
  /** Arguments of a resource method by position. */
  readonly args: readonly JsonValue[];
}

export interface PreviewOrder extends ResourceOrder {
  readonly method: "PUT" | "PATCH";
  readonly body: JsonObject;
  readonly secrets: readonly string[];
  readonly onlyIfAbsent: boolean;
}
