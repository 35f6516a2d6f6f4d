import type { Plan, PlanNode } from "@rad/templates";

/** Every node after those that it depends on, otherwise as the template has them. */
export function inOrder(plan: Plan): PlanNode[] {
  const waiting = new Map<string, number>();
  const followers = new Map<string, PlanNode[]>();
  for (const node of plan.nodes.values()) {
    waiting.set(node.key, node.dependsOn.length);
    for (const key of node.dependsOn) {
      const known = followers.get(key) ?? [];
      known.push(node);
      followers.set(key, known);
    }
  }
  const order = [...plan.nodes.values()].filter(({ dependsOn }) => dependsOn.length === 0);
  for (let index = 0; index < order.length; index += 1) {
    for (const follower of followers.get(order[index]?.key ?? "") ?? []) {
      const left = (waiting.get(follower.key) ?? 0) - 1;
      waiting.set(follower.key, left);
      if (left === 0) {
        order.push(follower);
      }
    }
  }
  return order;
}
