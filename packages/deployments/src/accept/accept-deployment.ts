import type { JsonObject, ResourceId } from "@rad/core";
import type { DocumentPut, StoredDocument } from "@rad/store";
import type { Plan } from "@rad/templates";
import type { DeploymentHost } from "../deployment-host.ts";
import type { DeploymentInput } from "../deployment-input.ts";
import { callerToJson, type Requester } from "@rad/resources";
import { deploymentType, runToJson, sealed } from "../deployment-document.ts";
import { describePlan } from "../describe-plan.ts";
import { newBudget, preparePlan, toStored } from "../prepare-plan.ts";
import { checkDeploymentName } from "../request/deployment-name.ts";
import { checkPlan } from "./check-plan.ts";
import { refuseWhileActive } from "./deployment-activity.ts";
import { knownPlans, topPlan } from "./known-plans.ts";
import { TypeCheck } from "./type-check.ts";

export interface AcceptRequest {
  readonly id: ResourceId;
  readonly apiVersion: string;
  readonly input: DeploymentInput;
  readonly requester: Requester;
  /** The operation that will run it, to be stored in one write with the document. */
  readonly operationId: string;
  /** The deployment of that name, if there is one. */
  readonly current: StoredDocument | undefined;
}

export interface AcceptedDeployment {
  /** To be written together with the operation; `expect` holds what `current` was. */
  readonly document: DocumentPut;
}

/**
 * Checks a deployment as far as that is possible before it runs: its name, its template, its parameters, who provides
 * its resources and whether the caller may do all that, in the deployments nested in it too. Writes nothing.
 * @throws ApiError `InvalidDeployment`, `DeploymentActive`, `InvalidTemplate`, `InvalidTemplateDeployment`, `Forbidden` …
 */
export async function acceptDeployment(host: DeploymentHost, request: AcceptRequest): Promise<AcceptedDeployment> {
  const { input, requester, current, operationId } = request;
  checkDeploymentName(request.id.name);
  await refuseWhileActive(host.store, current);
  const budget = newBudget(host);
  const { plan, fixed } = await preparePlan(host, input, { budget });
  requester.hide(plan.secrets);
  const types = new TypeCheck(host);
  for await (const known of knownPlans(host, topPlan(plan, input), budget)) {
    requester.hide(known.plan.secrets);
    await checkPlan(host, known, requester.caller, types);
  }
  const run = { input, ...toStored(fixed), caller: callerToJson(requester.caller), templatePath: "$" };
  const id = current?.id ?? request.id.toString();
  const { correlationId } = requester;
  const body = await newDeploymentBody({ id, input, plan, correlationId, timestamp: fixed.now });
  host.acceptedPlans.keep(operationId, { plan, budget, run, body, isNew: current === undefined });
  return {
    document: {
      kind: "put",
      input: {
        id,
        type: deploymentType,
        apiVersion: request.apiVersion,
        body,
        secrets: { [sealed.run]: runToJson(run) },
        operationId,
      },
      expect: current === undefined ? "absent" : { etag: current.etag },
    },
  };
}

export interface NewDeployment {
  readonly id: string;
  readonly input: DeploymentInput;
  readonly plan: Plan;
  readonly correlationId: string;
  readonly timestamp: Date;
}

/** What a GET answers from the moment on in which the deployment is accepted. */
export async function newDeploymentBody({
  id,
  input,
  plan,
  correlationId,
  timestamp,
}: NewDeployment): Promise<JsonObject> {
  return {
    id,
    name: input.name,
    type: deploymentType,
    ...(input.location === undefined ? {} : { location: input.location }),
    ...(input.tags === undefined ? {} : { tags: input.tags }),
    properties: {
      provisioningState: "Accepted",
      correlationId,
      timestamp: timestamp.toISOString(),
      duration: "PT0S",
      mode: "Incremental",
      ...(await describePlan(plan, input)),
      ...(input.debugSetting === undefined ? {} : { debugSetting: input.debugSetting }),
      ...(input.providerConfig === undefined ? {} : { providerconfig: input.providerConfig }),
    },
  };
}
