import type { Clock, Logger, Metrics, Redactor, Tracing } from "@rad/core";
import type { DeploymentTarget } from "@rad/deployments";
import type { OperationExecutor, OperationWaiter } from "@rad/operations";
import type { ResourceHandler, TypeModule, TypePolicy } from "@rad/resources";
import type { QueueRule, Store } from "@rad/store";
import type { ProviderKind } from "@rad/templates";
import type { PlaneModule } from "./plane.ts";
import type { Route } from "./route.ts";

/** A part of the control plane: what it serves, what it works on, what it cleans up. Disposed when the server stops. */
export interface Module extends Partial<AsyncDisposable> {
  readonly types?: readonly TypeModule[];
  /** Changes whenever `types` do; lets a restart skip their registration. */
  readonly typesDigest?: string | undefined;
  /** By namespace: how modules' types are treated that say nothing themselves. */
  readonly policies?: readonly (readonly [string, TypePolicy])[];
  /** Where resources of other providers are deployed to. */
  readonly targets?: Readonly<Partial<Record<ProviderKind, DeploymentTarget>>>;
  /** Code behind types that clients register. */
  readonly registeredTypes?: ResourceHandler | undefined;
  readonly workers?: readonly WorkerSpec[];
  readonly routes?: readonly Route[];
  readonly planes?: readonly PlaneModule[];
  /** Runs after the start and every hour. A failure is logged and ends nothing. */
  housekeeping?(signal: AbortSignal): Promise<void>;
}

/** Names a module for messages, and makes it once the store is open. */
export interface ModuleFactory {
  readonly name: string;
  create(parts: ModuleParts): Promise<Module> | Module;
}

/** What the server gives to every module. */
export interface ModuleParts {
  /** Where the server listens, for what calls it from outside, such as Terraform. */
  readonly apiUrl?: string | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly tracing: Tracing;
  readonly metrics: Metrics;
  /** Lets anything in this process wait for operations to end. */
  readonly operations: OperationWaiter;
}

/** Who works on the operations of some queues. Resources whose type names no such queue are worked on by the server. */
export interface WorkerSpec {
  readonly queues: readonly QueueRule[];
  /** Absent: the handlers of the types, as the server's own worker runs them. */
  readonly executor?: OperationExecutor;
  /** Operations that this process runs at once. */
  readonly slots: number;
  /** How often an operation is tried that fails for a reason which may pass. */
  readonly maxAttempts: number;
  /** How often in a row the process may die at an operation without getting further. Absent: as the server's own. */
  readonly maxDeaths?: number;
}
