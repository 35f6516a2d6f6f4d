import type { Clock } from "@rad/core";
import type { Caller } from "@rad/resources";
import type { Store } from "@rad/store";
import type { PlanLimits, ProviderKind, Surroundings } from "@rad/templates";
import type { AcceptedPlans } from "./accept/accepted-plans.ts";
import type { DeploymentTarget } from "./deployment-target.ts";

/** What the engine needs to know of the program that it is a part of. */
export interface DeploymentHost {
  readonly store: Store;
  readonly clock: Clock;
  /** Providers that are missing here are refused when a template that needs them is validated. */
  readonly targets: Readonly<Partial<Record<ProviderKind, DeploymentTarget>>>;
  readonly limits: Partial<PlanLimits>;
  readonly acceptedPlans: AcceptedPlans;
  readonly surroundings: Surroundings;
  /** How many resources of one deployment, with everything nested in it, are under way at once. */
  readonly concurrency: number;
  /** Deployments kept per scope. */
  readonly historyLength: number;
  /** Hosts that `templateLink` and `parametersLink` may name. */
  readonly linkHosts: readonly string[];
  /** @throws ApiError `Forbidden` unless the caller may do this at this id. */
  authorize(caller: Caller, permission: string, id: string): void;
}
