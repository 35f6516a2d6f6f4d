import { ApiError, type JsonObject, objectMember } from "@rad/core";
import { callerToJson } from "@rad/resources";
import { type DocumentPut, type StoredDocument, StoreError } from "@rad/store";
import { type DeploymentNode, type DeployRequest, type Plan } from "@rad/templates";
import { newDeploymentBody } from "../accept/accept-deployment.ts";
import { checkPlan } from "../accept/check-plan.ts";
import { activeOperation, deploymentActive } from "../accept/deployment-activity.ts";
import {
  deploymentType,
  hasEnded,
  parentFromJson,
  parentToJson,
  runFromJson,
  runToJson,
  sealed,
  withProperties,
} from "../deployment-document.ts";
import type { DeploymentInput } from "../deployment-input.ts";
import { followLinks, nestedInput, nestedOrigin } from "../nested-input.ts";
import { fromStored, preparePlan, toStored } from "../prepare-plan.ts";
import { RecordBook } from "../records/node-record.ts";
import { removeRecords } from "../records/operation-records.ts";
import type { OpenedDeployment } from "./opened-deployment.ts";
import type { TreeContext } from "./tree-context.ts";
import { untilAnswered } from "./until-answered.ts";

/** Two at once may want the same name; whoever comes second finds out who has it. */
const maxClaims = 3;

/**
 * Starts a nested deployment: its document, and in the same transaction the record that its parent has begun with it.
 * @throws ApiError `InvalidTemplate`, `Forbidden`, or `DeploymentActive` when the name is taken
 */
export async function createNested(
  tree: TreeContext,
  parent: OpenedDeployment,
  node: DeploymentNode,
  request: DeployRequest,
  begun: () => DocumentPut,
): Promise<OpenedDeployment> {
  const { host, requester } = tree;
  tree.hasLeftovers = true;
  host.authorize(requester.caller, `${deploymentType}/write`, node.id);
  const origin = nestedOrigin(node, parent.origin);
  const complete = await followLinks(host, request, origin, tree.abandon);
  const input = nestedInput(parent.input, complete, origin);
  const { plan, fixed } = await preparePlan(host, input, { budget: tree.budget, origin });
  tree.takeRoom(plan.nodes.size);
  tree.hide(plan.secrets);
  await untilAnswered(tree, () => checkPlan(host, { plan, input, origin, node }, requester.caller));
  const opened: OpenedDeployment = {
    id: node.id,
    apiVersion: node.apiVersion ?? parent.apiVersion,
    body: withProperties(await runningBody(tree, node.id, input, plan, fixed.now), { parent: { id: parent.id } }),
    input,
    origin,
    plan,
    records: recordsOf(tree, node.id, node.apiVersion ?? parent.apiVersion),
    startedAt: fixed.now,
    parent: { id: parent.id, node: node.key },
    template: tree.redactLarge(complete.writtenTemplate ?? input.template),
  };
  const run = { input, ...toStored(fixed), caller: callerToJson(requester.caller), templatePath: origin.templatePath };
  const document = {
    kind: "put",
    input: {
      id: opened.id,
      type: deploymentType,
      apiVersion: opened.apiVersion,
      body: opened.body,
      secrets: {
        [sealed.run]: runToJson(run),
        [sealed.parent]: parentToJson({ id: parent.id, node: node.key }),
        [sealed.template]: opened.template,
      },
      operationId: tree.operation.id,
    },
  } as const;
  for (let claim = 1; ; claim += 1) {
    const current = await claimName(tree, node.id);
    const expect = current === undefined ? "absent" : { etag: current.etag };
    try {
      await tree.write({ document: { ...document, expect }, also: [begun()] });
      return opened;
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "EtagMismatch") {
        throw error;
      }
      if (claim === maxClaims) {
        throw new ApiError("Conflict", `The deployment '${node.name}' was changed by others again and again.`);
      }
    }
  }
}

/** Goes on with a nested deployment that an earlier attempt has started. */
export async function resumeNested(
  tree: TreeContext,
  parent: OpenedDeployment,
  node: DeploymentNode,
): Promise<OpenedDeployment> {
  const { host, operation } = tree;
  const document = await host.store.get(node.id);
  const secrets = document === undefined ? {} : await host.store.secrets(node.id);
  const run = runFromJson(secrets[sealed.run]);
  if (document === undefined || document.operationId !== operation.id || run === undefined) {
    throw new ApiError("DeploymentNotFound", `The nested deployment '${node.name}' was removed while it ran.`);
  }
  const origin = { templatePath: run.templatePath };
  const { plan } = await preparePlan(host, run.input, { budget: tree.budget, fixed: fromStored(run), origin });
  tree.takeRoom(plan.nodes.size);
  tree.hide(plan.secrets);
  const records = recordsOf(tree, document.id, document.apiVersion);
  await records.load(host.store);
  return {
    id: document.id,
    apiVersion: document.apiVersion,
    body: document.body,
    input: run.input,
    origin,
    plan,
    records,
    startedAt: new Date(run.now),
    parent: { id: parent.id, node: node.key },
    template: secrets[sealed.template] ?? null,
  };
}

export function recordsOf({ operation, timestamps, host }: TreeContext, id: string, apiVersion: string): RecordBook {
  const now = (): Date => host.clock.now();
  return new RecordBook({ deploymentId: id, operationId: operation.id, apiVersion, timestamps, now });
}

/**
 * Makes sure that nobody else needs the deployment of that name, and removes the records of its last run.
 * Within one tree a name may be used again once the deployment around its last use has ended, since until then the
 * outputs may be read.
 */
async function claimName(tree: TreeContext, id: string): Promise<StoredDocument | undefined> {
  const { store } = tree.host;
  const current = await store.get(id);
  if (current === undefined) {
    return undefined;
  }
  const active = await activeOperation(store, current);
  if (active !== undefined && active.id !== tree.operation.id) {
    throw deploymentActive(id, active.resourceId);
  }
  if (active !== undefined) {
    const other = parentFromJson((await store.secrets(current.id))[sealed.parent]);
    const around = other === undefined ? undefined : await store.get(other.id);
    if (other === undefined || around === undefined || !hasEnded(around)) {
      throw deploymentActive(id, other?.id ?? active.resourceId);
    }
  }
  await removeRecords(
    store,
    current.id,
    () => true,
    (also) => tree.write({ also }),
  );
  return current;
}

async function runningBody(
  tree: TreeContext,
  id: string,
  input: DeploymentInput,
  plan: Plan,
  timestamp: Date,
): Promise<JsonObject> {
  const { correlationId } = tree.operation;
  // A secret of the deployment around it may have become a tag or an ordinary parameter here.
  const tags =
    input.tags === undefined ? undefined : objectMember({ tags: tree.redactor.redactJson(input.tags) }, "tags");
  const body = await newDeploymentBody({ id, input: { ...input, tags }, plan, correlationId, timestamp });
  const parameters = tree.redactLarge(objectMember(objectMember(body, "properties"), "parameters"));
  return withProperties(body, { provisioningState: "Running", parameters });
}
