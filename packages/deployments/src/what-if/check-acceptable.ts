import { checkPlan } from "../accept/check-plan.ts";
import { type FollowLinks, knownPlans, type KnownPlan } from "../accept/known-plans.ts";
import { TypeCheck } from "../accept/type-check.ts";
import type { Outlook } from "./outlook.ts";

/** Refuses what a PUT of the same deployment would refuse. @throws ApiError */
export async function checkAcceptable(outlook: Outlook, top: KnownPlan): Promise<void> {
  const { host, requester, budget } = outlook.deps;
  const types = new TypeCheck(host);
  const follow: FollowLinks = (request, origin) => outlook.linked.follow(request, origin);
  for await (const known of knownPlans(host, top, budget, follow)) {
    outlook.hide([...known.plan.secrets]);
    await checkPlan(host, known, requester.caller, types);
  }
}
