import type { Plan, PlanResults } from "@rad/templates";
import type { TargetNode } from "../target-order.ts";
import type { Outlook } from "./outlook.ts";

/** What the outlook knows a resource by: its id, or a name of its own where only the provider knows that. */
export function placeOf({ id, key }: TargetNode, deploymentId: string): string {
  return id ?? `${deploymentId} ${key}`;
}

/** What is expected of resources that cannot be asked for by their id. */
export function expectedNodes(outlook: Outlook, { nodes }: Plan, deploymentId: string): PlanResults["node"] {
  return (key) => {
    const node = nodes.get(key);
    const isWithoutId = node !== undefined && node.kind !== "barrier" && node.id === undefined;
    return isWithoutId ? outlook.expectedAt(placeOf(node, deploymentId)) : undefined;
  };
}
