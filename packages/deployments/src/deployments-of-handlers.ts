import { ApiError, isJsonObject, type JsonObject, objectMember, ResourceId } from "@rad/core";
import {
  type DeployingWork,
  type DeploymentOrder,
  deploymentPolicy,
  type DeploymentResult,
  type DeploymentRunners,
  intent,
  newOperation,
  scopeGuards,
} from "@rad/resources";
import { type StoredDocument, StoreError } from "@rad/store";
import { acceptDeployment } from "./accept/accept-deployment.ts";
import { activeOperation } from "./accept/deployment-activity.ts";
import { deploymentType, textMember } from "./deployment-document.ts";
import type { DeploymentHost } from "./deployment-host.ts";
import { checkDeploymentName } from "./request/deployment-name.ts";
import { readDeploymentInput } from "./request/read-deployment-input.ts";

/** The api-version that such deployments are stored with. */
const apiVersion = "2025-04-01";
/** Of the operation's id: enough that no two operations of a group share it. */
const suffixLength = 13;

/**
 * Lets handlers deploy templates. A deployment is named after the operation it belongs to, so a repeated attempt finds
 * the deployment that an earlier one started.
 */
export function deploymentsOfHandlers(host: DeploymentHost): DeploymentRunners {
  return (work) => ({
    run: async (order) => {
      const id = deploymentId(work, order);
      const known = (await host.store.get(id.toString())) ?? (await start(host, work, order, id));
      return await resultOf(host, known);
    },
  });
}

function deploymentId({ resourceId, operationId }: DeployingWork, { name }: DeploymentOrder): ResourceId {
  const suffix = `-${operationId.slice(0, suffixLength)}`;
  const full = `${name}${suffix}`;
  checkDeploymentName(full); // cut short, two names might become one
  return ResourceId.parse(`${resourceId.rootScope}/providers/${deploymentType}/${full}`);
}

async function start(
  host: DeploymentHost,
  { requester, operationId: startedBy, lease, signal }: DeployingWork,
  { template, parameters = {} }: DeploymentOrder,
  id: ResourceId,
): Promise<StoredDocument> {
  const { store, clock } = host;
  const body = { properties: { mode: "Incremental", template, parameters } };
  const input = await readDeploymentInput({ id, body, signal: () => signal }, host);
  const request = { ...requester, apiVersion };
  const timeoutMs = deploymentPolicy.putTimeoutMs;
  const operation = newOperation(request, { policy: deploymentPolicy }, { id, kind: "put", timeoutMs });
  const { document } = await acceptDeployment(host, {
    id,
    apiVersion,
    input,
    requester,
    operationId: operation.id,
    current: undefined,
  });
  const audit = [{ ...intent(request, `${deploymentType}/write`, id.toString(), clock), operationId: operation.id }];
  try {
    const awaited = { ...operation, awaitedBy: startedBy };
    await store.write({ document, guards: scopeGuards(id), operation: awaited, audit, lease });
  } catch (error) {
    // Two steps of one attempt asked at the same moment.
    if (!(error instanceof StoreError && error.code === "EtagMismatch")) {
      throw error;
    }
  }
  const stored = await store.get(id.toString());
  if (stored === undefined) {
    throw new ApiError("DeploymentNotFound", `The deployment '${id.name}' was removed as soon as it was there.`);
  }
  return stored;
}

async function resultOf({ store }: DeploymentHost, known: StoredDocument): Promise<DeploymentResult> {
  const active = await activeOperation(store, known);
  if (active !== undefined) {
    return { kind: "waiting", for: [active.id] };
  }
  const document = (await store.get(known.id)) ?? known; // it may have ended since it was read
  const properties = objectMember(document.body, "properties");
  if (properties["provisioningState"] !== "Succeeded") {
    throw failureOf(document.id, properties);
  }
  const resources = properties["outputResources"];
  return {
    kind: "done",
    id: document.id,
    outputs: objectMember(properties, "outputs"),
    outputResources: (Array.isArray(resources) ? resources : []).map((item) =>
      isJsonObject(item) ? textMember(item, "id") : "",
    ),
  };
}

/** The deployment's own error. */
function failureOf(id: string, properties: JsonObject): ApiError {
  const stored = objectMember(properties, "error");
  const detail = { ...stored, code: textMember(stored, "code"), message: textMember(stored, "message") };
  return ApiError.fromDetail(detail, { target: id, fallback: "DeploymentFailed" });
}
