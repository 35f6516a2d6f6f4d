import type { JsonObject } from "@rad/core";
import type { ChangeKind } from "@rad/resources";
import type { DeleteOrder, DeploymentTarget, PutOrder } from "./deployment-target.ts";

/**
 * A target whose resources live outside of our store, so that no transaction holds an effect and its record together.
 * `recordAfterwards` makes a `DeploymentTarget` of it.
 *
 * A call that throws an `ApiError` had no effect, unless that is `transient`; after any other error nobody knows. Then
 * the same order comes again with the same `key` and `sentBefore`: a target either hands the key on to a provider that
 * recognises it, or looks for what it may have made already. Calls end by themselves; time limits are the target's.
 */
export interface ExternalTarget extends Omit<DeploymentTarget, "put" | "delete"> {
  put(order: ExternalPut): Promise<ExternalSent>;

  delete(order: Omit<DeleteOrder, "lease">): ReturnType<DeploymentTarget["delete"]>;
}

export type ExternalPut = Omit<PutOrder, "lease" | "intent" | "record">;

export type ExternalSent =
  | {
      readonly kind: "done";
      readonly change: ChangeKind;
      readonly id: string;
      readonly body: JsonObject;
      readonly warnings?: readonly string[];
    }
  | {
      readonly kind: "accepted";
      readonly change: ChangeKind;
      /** Absent where the provider tells it only when the resource is finished. */
      readonly id: string | undefined;
      readonly tracking: string;
      readonly warnings?: readonly string[];
    };
