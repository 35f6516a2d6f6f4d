import type { Value } from "../values/value.ts";
import type { Round } from "./loop-stack.ts";
import type { ExtensionUse, PlanScopes, ProviderKind, ResourceOptions } from "./plan.ts";
import type { ResourceEntry } from "./resource-entry.ts";

/** One resource after loops are expanded. */
export interface ResourceInstance {
  readonly key: string;
  readonly entry: ResourceEntry;
  /** The loops around it, outermost first. */
  readonly rounds: readonly Round[];
  readonly copyIndex: number | undefined;
  readonly provider: ProviderKind;
  readonly extension: ExtensionUse | undefined;
  readonly name: string | undefined;
  readonly id: string | undefined;
  /** Its id and whatever else the template's functions make of it. */
  readonly ids: readonly string[];
  /** The scopes of what it deploys, where it is a deployment. */
  readonly scopes: PlanScopes;
  readonly options: ResourceOptions;
  /** False when its condition says so. */
  readonly deployed: boolean;
  /** Its body, when that depends on nothing else. */
  constantBody: Value | undefined;
}
