import { evaluateNode, type DeploymentNode, type DeployRequest, type PlanResults } from "@rad/templates";
import { checkPlan } from "../accept/check-plan.ts";
import { knownPlans, type KnownPlan } from "../accept/known-plans.ts";
import type { Outlook } from "./outlook.ts";

/** Refuses what a PUT of the same deployment would refuse. @throws ApiError */
export async function checkAcceptable(outlook: Outlook, top: KnownPlan): Promise<void> {
  const { host, requester } = outlook.deps;
  const hasLinks = /"(?:template|parameters)Link"/i.test(JSON.stringify(top.input.template));
  const linked = new Map<DeploymentNode, DeployRequest>();
  for await (const known of knownPlans(host, top)) {
    outlook.hide([...known.plan.secrets]);
    checkPlan(host, known, requester.caller);
    const request = known.node && linked.get(known.node);
    if (request !== undefined) {
      outlook.linked.keep(request, known.origin, known.input);
    }
    for (const [node, nested] of hasLinks ? linkedRequests(known) : []) {
      linked.set(node, nested);
    }
  }
}

const nothingYet: PlanResults = { node: () => undefined, call: () => undefined };

/** Those whose links are about to be followed. */
function* linkedRequests({ plan }: KnownPlan): Generator<[DeploymentNode, DeployRequest]> {
  for (const node of plan.nodes.values()) {
    if (node.kind !== "deployment" || node.skipped !== undefined) {
      continue;
    }
    const evaluation = evaluateNode(plan, node.key, nothingYet, { preview: true });
    if (evaluation.kind === "ready" && evaluation.value.kind === "deploy") {
      yield [node, evaluation.value];
    }
  }
}
