import { ApiError, inSlices } from "@rad/core";
import {
  type Budget,
  type DeploymentNode,
  type DeployRequest,
  evaluateNode,
  sliced,
  type Plan,
  type PlanErrorReason,
  type PlanResults,
} from "@rad/templates";
import { deploymentType } from "../deployment-document.ts";
import type { DeploymentHost } from "../deployment-host.ts";
import type { DeploymentInput, InputOrigin } from "../deployment-input.ts";
import { followLinks, hasUnknownLink, nestedInput, nestedOrigin } from "../nested-input.ts";
import { invalidTemplate, outermost, pathWithin, templateViolation, tryPlan } from "../prepare-plan.ts";
import { withUnknownOuterTexts } from "../outer-texts.ts";

/** A plan of the tree of deployments that one request starts. */
export interface KnownPlan {
  readonly plan: Plan;
  readonly input: DeploymentInput;
  readonly origin: InputOrigin;
  /** Absent at the top. */
  readonly node: DeploymentNode | undefined;
}

const nothingYet: PlanResults = { node: () => undefined, call: () => undefined };

/**
 * Resources in all plans together. Links can lead in circles, and loops of modules in loops of modules come to any number
 * of resources; what lies beyond is looked at when its turn comes.
 */
const maxNodes = 50_000;

/**
 * The plan of a deployment and those of the deployments nested in it, as far as they can be told before anything runs:
 * parents first. A nested template that cannot work is an error already here, unless it may be for lack of a value.
 * @throws ApiError `InvalidTemplate`, `InvalidContentLink`
 */
export function knownPlans(
  host: DeploymentHost,
  top: KnownPlan,
  budget: Budget,
  follow: FollowLinks = (request, origin) => followLinks(host, request, origin),
): AsyncGenerator<KnownPlan> {
  const id = `${top.input.scopes.deployments}/providers/${deploymentType}/${top.input.name}`;
  return plansFrom(host, top, { nodesLeft: maxNodes, around: [id], budget, follow });
}

/** Fetches what a nested deployment names by link. */
export type FollowLinks = (request: DeployRequest, origin: InputOrigin) => Promise<DeployRequest>;

async function* plansFrom(host: DeploymentHost, current: KnownPlan, search: Search): AsyncGenerator<KnownPlan> {
  search.nodesLeft -= current.plan.nodes.size;
  yield current;
  for (const node of current.plan.nodes.values()) {
    if (node.kind !== "deployment" || search.nodesLeft <= 0) {
      continue;
    }
    refuseNameOfParent(node, current.origin, search.around);
    const nested = await nestedPlan(host, current, node, search);
    if (nested !== undefined) {
      search.around.push(node.id);
      yield* plansFrom(host, nested, search);
      search.around.pop();
    }
  }
}

interface Search {
  nodesLeft: number;
  /** Ids of the deployments that the current one is nested in, and its own. */
  readonly around: string[];
  readonly budget: Budget;
  readonly follow: FollowLinks;
}

/** It would wait for the end of the deployment that waits for it. */
function refuseNameOfParent(node: DeploymentNode, origin: InputOrigin, around: readonly string[]): void {
  if (node.skipped === undefined && around.some((id) => id.toLowerCase() === node.id.toLowerCase())) {
    const message = `The module '${node.key}' has the name of a deployment that it is a part of, '${node.name}'.`;
    const additionalInfo = [templateViolation(pathWithin(node.path, origin))];
    throw new ApiError("InvalidTemplate", `Deployment template validation failed: ${message}`, {
      target: node.id,
      additionalInfo,
    });
  }
}

export function topPlan(plan: Plan, input: DeploymentInput): KnownPlan {
  return { plan, input, origin: outermost, node: undefined };
}

async function nestedPlan(
  host: DeploymentHost,
  parent: KnownPlan,
  node: DeploymentNode,
  { budget, follow }: Search,
): Promise<KnownPlan | undefined> {
  if (node.skipped !== undefined) {
    return undefined;
  }
  const origin = nestedOrigin(node, parent.origin);
  const evaluation = await inSlices(sliced(evaluateNode(parent.plan, node.key, nothingYet, { preview: true })));
  if (evaluation.kind === "failed" && evaluation.errors.every(({ reason }) => reason !== "NotKnownYet")) {
    throw invalidTemplate(evaluation, parent.origin);
  }
  if (evaluation.kind !== "ready" || evaluation.value.kind !== "deploy") {
    return undefined; // found again, and reported, when its turn comes
  }
  if (hasUnknownLink(node, evaluation.unknown)) {
    return undefined;
  }
  const request = await follow(evaluation.value, origin);
  const known = nestedInput(parent.input, request, origin);
  const input = withUnknownOuterTexts(known, `${node.path}.properties.template`, evaluation.unknown);
  const { plan } = await tryPlan(host, input, { budget });
  if (plan.kind === "plan") {
    return { plan, input, origin, node };
  }
  const isComplete = evaluation.unknown.length === 0 && Object.values(input.parameters).every(isKnown);
  const certain = isComplete ? plan.errors : plan.errors.filter(({ reason }) => isCertain.has(reason));
  if (certain.length > 0) {
    throw invalidTemplate({ ...plan, errors: certain }, origin);
  }
  return undefined;
}

/** What no value that is missing can mend. */
const isCertain: ReadonlySet<PlanErrorReason> = new Set(["InvalidParameter", "LimitExceeded", "SizeExceeded"]);

function isKnown(parameter: object): boolean {
  return !("unknown" in parameter);
}
