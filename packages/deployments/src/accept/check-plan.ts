import { ApiError, type ErrorDetail, Pace } from "@rad/core";
import type { Caller } from "@rad/resources";
import type { ProviderKind } from "@rad/templates";
import { deploymentType } from "../deployment-document.ts";
import type { DeploymentHost } from "../deployment-host.ts";
import type { InputOrigin } from "../deployment-input.ts";
import { permissionPlace } from "../node-permission.ts";
import { pathWithin, templateViolation } from "../prepare-plan.ts";
import type { TargetNode } from "../target-order.ts";
import type { KnownPlan } from "./known-plans.ts";
import { TypeCheck } from "./type-check.ts";

const providerNames: Readonly<Record<ProviderKind, string>> = {
  radius: "Radius",
  deployments: "deployments",
  azure: "Azure",
  aws: "AWS",
  kubernetes: "Kubernetes",
  other: "this extension",
};

/** Looking up the type, and asking for the permission. */
const stepsPerNode = 10;

/**
 * Finds what cannot be deployed here, and asks whether the caller may do all the rest.
 * @throws ApiError `InvalidTemplateDeployment` naming what has no target or a type that does not exist, `Forbidden`
 */
export async function checkPlan(
  host: DeploymentHost,
  { plan, input, origin }: KnownPlan,
  caller: Caller,
  types = new TypeCheck(host),
): Promise<void> {
  const refused: ErrorDetail[] = [];
  const pace = new Pace();
  for (const node of plan.nodes.values()) {
    if (node.kind === "barrier" || node.skipped !== undefined) {
      continue;
    }
    const turn = pace.spend(stepsPerNode);
    if (turn !== undefined) {
      await turn;
    }
    const problem = withoutTarget(host, node);
    const wrongType = problem === undefined ? await types.refusal(node) : undefined;
    if (problem !== undefined) {
      refused.push(refusal(node, "InvalidTemplateDeployment", problem, origin));
    } else if (wrongType !== undefined) {
      refused.push(refusal(node, wrongType.code, wrongType.message, origin));
    } else {
      const verb = node.kind === "existing" ? "read" : "write";
      host.authorize(caller, `${node.type}/${verb}`, permissionPlace(node, input));
    }
  }
  if (refused.length > 0) {
    throw new ApiError(
      "InvalidTemplateDeployment",
      `The template deployment '${input.name}' is not valid according to the validation procedure: ${refused[0]?.message}`,
      { details: refused.slice(0, 50), additionalInfo: refused[0]?.additionalInfo ?? [] },
    );
  }
}

function withoutTarget(host: DeploymentHost, node: TargetNode): string | undefined {
  if (node.kind === "extension" && node.type.toLowerCase() === deploymentType.toLowerCase()) {
    // Sent like any resource, it would be stored without ever having been accepted.
    return `The deployment '${node.key}' must not be written through an extension.`;
  }
  if (node.provider === "deployments" || host.targets[node.provider] !== undefined) {
    return undefined;
  }
  const provider = node.provider === "other" ? `the extension "${node.extension?.name}"` : providerNames[node.provider];
  return `The resource '${node.key}' of type '${node.type}' needs ${provider}, which is not available here.`;
}

function refusal(node: TargetNode, code: string, message: string, origin: InputOrigin): ErrorDetail {
  const path = pathWithin(node.path, origin);
  return {
    code,
    message,
    target: node.id ?? node.key,
    additionalInfo: [templateViolation(path)],
  };
}
