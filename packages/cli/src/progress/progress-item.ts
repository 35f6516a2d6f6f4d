import type { Deployment, DeploymentOperation, OperationStep } from "@rad/client";
import { ResourceId } from "@rad/core";

export type ItemState = "Running" | "Completed" | "Failed" | "Canceled";
export type ItemChange = "created" | "changed" | "unchanged";

/** One line of progress: a resource on its way. */
export interface ProgressItem {
  /** The same for as long as the deployment runs. */
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** How many deployments it is nested in, the first one not counted. */
  readonly depth: number;
  readonly state: ItemState;
  /** Known once it has ended. */
  readonly change: ItemChange | undefined;
  /** What is being done for it, while it is running. */
  readonly steps: readonly OperationStep[];
}

/** What an operation shows; `undefined` for those that only look something up, as long as nothing goes wrong. */
export function toProgressItem(
  operation: DeploymentOperation,
  deployment: string,
  depth: number,
  steps: readonly OperationStep[],
): ProgressItem | undefined {
  const { target } = operation;
  const state = itemState(operation.state);
  if (target === undefined || (operation.kind !== "Create" && state !== "Failed")) {
    return undefined;
  }
  // Two modules that are deployed from the same file have operations of the same id.
  const key = `${deployment}/${operation.operationId}`;
  const isRunning = state === "Running";
  const change = isRunning ? undefined : changeOf(operation.changeType);
  return { key, ...target, depth, state, change, steps: isRunning ? steps : [] };
}

/**
 * The items as they are once a deployment has ended: nothing is being done any more. Operations are only looked at now
 * and then, but what a successful deployment lists as its result is done, whatever was seen last.
 */
export function settledItems(seen: readonly ProgressItem[], deployment: Deployment): readonly ProgressItem[] {
  const items = seen.map((item) => ({ ...item, steps: [] }));
  if (deployment.state !== "Succeeded") {
    return items;
  }
  const done = new Set(deployment.outputResources.map((id) => id.toLowerCase()));
  const settled = items.map((item) =>
    item.state === "Running" && done.has(item.id.toLowerCase())
      ? { ...item, state: "Completed" as const, steps: [] }
      : item,
  );
  const known = new Set(items.map((item) => item.id.toLowerCase()));
  const unseen = deployment.outputResources.filter((id) => !known.has(id.toLowerCase()));
  return [...settled, ...unseen.map(completedItem)];
}

/** `type` and `name` of an id, all its names for a nested type. */
export function describeId(id: string): { readonly type: string; readonly name: string } {
  const parsed = ResourceId.tryParse(id);
  return parsed === undefined ? { type: "", name: id } : { type: parsed.type, name: parsed.name };
}

function completedItem(id: string): ProgressItem {
  return { key: id, id, ...describeId(id), depth: 0, state: "Completed", change: undefined, steps: [] };
}

/** The state of an operation, or of a step of one. */
export function itemState(state: string): ItemState {
  switch (state.toLowerCase()) {
    case "succeeded":
      return "Completed";
    case "failed":
      return "Failed";
    case "canceled":
      return "Canceled";
    default:
      return "Running";
  }
}

/** What was done to a resource, in the words of `rad deploy`. */
export function changeOf(changeType: string | undefined): ItemChange | undefined {
  switch (changeType?.toLowerCase()) {
    case "create":
      return "created";
    case "modify":
      return "changed";
    case "nochange":
      return "unchanged";
    default:
      return undefined;
  }
}
