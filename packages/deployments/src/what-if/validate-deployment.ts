import { ApiError, type ErrorDetail, type JsonObject, type ResourceId } from "@rad/core";
import { topPlan } from "../accept/known-plans.ts";
import { deploymentType } from "../deployment-document.ts";
import type { DeploymentHost } from "../deployment-host.ts";
import type { DeploymentInput } from "../deployment-input.ts";
import type { Requester } from "@rad/resources";
import { describePlan } from "../describe-plan.ts";
import { newBudget, outermost, preparePlan } from "../prepare-plan.ts";
import { checkAcceptable } from "./check-acceptable.ts";
import { foreseeDeployment, type Foreseen } from "./foresee-deployment.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { Outlook } from "./outlook.ts";
import { nothingOpen } from "./plan-ahead.ts";

export interface ValidateRequest {
  readonly id: ResourceId;
  readonly input: DeploymentInput;
  readonly requester: Requester;
  readonly signal: AbortSignal;
}

/**
 * Checks all of a deployment that can be checked before it runs: the template, who provides its resources, whether the
 * caller may do that, and every body that is known against its type. Resolves to what the API answers.
 * @throws ApiError `InvalidTemplate`, `Forbidden`; `InvalidTemplateDeployment` with a detail per resource
 */
export async function validateDeployment(host: DeploymentHost, request: ValidateRequest): Promise<JsonObject> {
  const { input, requester, signal } = request;
  const budget = newBudget(host);
  const { plan, fixed } = await preparePlan(host, input, { budget });
  const outlook = new Outlook({ host, requester, signal, budget, showsBodies: false });
  await checkAcceptable(outlook, topPlan(plan, input));
  const id = request.id.toString();
  const deployment = { id, plan, input, origin: outermost, fixed, ...nothingOpen };
  const foreseen = await foreseeDeployment(outlook, deployment);
  const { resources, outputError } = foreseen.hasFailed ? await hideSecrets(outlook, deployment, foreseen) : foreseen;
  const errors = [...resources.flatMap(errorOf), ...(outputError === undefined ? [] : [outputError])];
  if (errors.length > 0) {
    throw invalid(
      input.name,
      errors.map((error) => redacted(error, outlook)),
    );
  }
  return {
    id,
    name: input.name,
    type: deploymentType,
    properties: {
      provisioningState: "Succeeded",
      mode: "Incremental",
      ...(await describePlan(plan, input)),
      validatedResources: resources.flatMap(validatedId),
      correlationId: requester.correlationId,
      timestamp: host.clock.now().toISOString(),
      duration: "PT0S",
    },
  };
}

/** More than these nobody reads. */
const maxDetails = 50;

function invalid(name: string, details: readonly ErrorDetail[]): ApiError {
  const [first] = details;
  const message = `The template deployment '${name}' is not valid according to the validation procedure: ${first?.message}`;
  return new ApiError("InvalidTemplateDeployment", message, {
    details: details.slice(0, maxDetails),
    additionalInfo: first?.additionalInfo ?? [],
  });
}

function errorOf({ outcome }: Foreseen): ErrorDetail[] {
  return outcome.kind === "failed" && outcome.isCertain ? [outcome.error] : [];
}

function validatedId({ node, outcome }: Foreseen): JsonObject[] {
  const isChecked = outcome.kind !== "left" && outcome.kind !== "unsupported" && outcome.kind !== "failed";
  return node.id !== undefined && isChecked ? [{ id: node.id }] : [];
}

function redacted(error: ErrorDetail, { secrets }: Outlook): ErrorDetail {
  return {
    ...error,
    message: secrets.redact(error.message),
    ...(error.details === undefined
      ? {}
      : { details: error.details.map((detail) => ({ ...detail, message: secrets.redact(detail.message) })) }),
  };
}
