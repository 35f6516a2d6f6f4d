import type { JsonObject } from "@rad/core";
import type { Lease } from "@rad/store";
import type { ResourceId } from "@rad/core";
import type { Requester } from "./requester.ts";

/** A template that a handler deploys into the resource's own group. */
export interface DeploymentOrder {
  /** Tells the deployments of one operation apart; part of the deployment's name, so 50 of its characters at most. */
  readonly name: string;
  readonly template: JsonObject;
  /** By name, as in a deployment's request: `{ size: { value: 3 } }`. */
  readonly parameters?: JsonObject;
}

export type DeploymentResult =
  /** Return it from the handler: the operation goes on when the deployment has ended, and asks again. */
  | { readonly kind: "waiting"; readonly for: readonly string[] }
  | {
      readonly kind: "done";
      readonly id: string;
      /** By name, in the form of the API: `{ host: { type, value } }`. Secure outputs have no value. */
      readonly outputs: JsonObject;
      readonly outputResources: readonly string[];
    };

export interface DeploymentRunner {
  /**
   * Starts the deployment, or tells what came of it: an operation that asks twice for the same name gets the same
   * deployment, also after a crash.
   * @throws ApiError when the template is refused, or when the deployment failed.
   */
  run(order: DeploymentOrder): Promise<DeploymentResult>;
}

/** The operation that a deployment belongs to. */
export interface DeployingWork {
  readonly resourceId: ResourceId;
  readonly operationId: string;
  readonly lease: Lease;
  readonly requester: Requester;
  readonly signal: AbortSignal;
}

/** Makes the runner of one operation. */
export type DeploymentRunners = (work: DeployingWork) => DeploymentRunner;
