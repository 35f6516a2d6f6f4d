import { ApiError, isJsonObject, isTerminal, objectMember, ResourceId } from "@rad/core";
import { deploymentType, operationType } from "@rad/deployments";
import { conflictWith, hasWork, mostNamed, type TakeAlongRequest, type TakenAlong } from "@rad/resources";
import { listAll, type StoredDocument } from "@rad/store";
import { groupReferences } from "./group-references.ts";

/** Resources that a DELETE of their group takes along; those who have more should see what they delete. */
const mostTaken = 1_000;

/** And so much text: a database goes through all that it removes, an embedded one on this thread. */
const mostBytes = 64 * 1024 * 1024;

/** Records of deployments that one transaction removes, and deployments, which may have megabytes each. */
const recordsAtOnce = 500;
const deploymentsAtOnce = 20;

const history = new Set([deploymentType.toLowerCase(), operationType.toLowerCase()]);

/**
 * What goes with a group: resources that are nothing but their document, and the history of deployments.
 * @throws ApiError `Conflict` with a list when anything else is there, and then nothing goes.
 */
export async function groupContents(request: TakeAlongRequest): Promise<TakenAlong> {
  const { document } = request;
  const resources: StoredDocument[] = [];
  let bytes = 0;
  for await (const item of documentsBelow(request)) {
    if (!history.has(item.type.toLowerCase())) {
      resources.push(item);
      bytes += item.bytes ?? 0;
    } else {
      refuseWhileDeploying(item);
    }
    if (resources.length > mostTaken || bytes > mostBytes) {
      throw conflictWith(document.id, resources);
    }
  }
  const inTheWay: StoredDocument[] = [];
  for (const item of resources) {
    if (inTheWay.length < mostNamed && !(await isOnlyDocument(item, request))) {
      inTheWay.push(item);
    }
  }
  const references = await groupReferences(resources, request);
  inTheWay.push(...references.inTheWay);
  if (inTheWay.length > 0) {
    throw conflictWith(document.id, inTheWay);
  }
  const records = [...references.records, ...(await lastOfHistory(request))];
  return { resources, records, guards: references.guards };
}

function documentsBelow({ document, resources }: TakeAlongRequest): AsyncIterable<StoredDocument> {
  return listAll((page) => resources.list(page), { under: document.id, withoutBodies: true });
}

function refuseWhileDeploying({ id, operationId, type }: StoredDocument): void {
  if (operationId !== undefined && type.toLowerCase() === deploymentType.toLowerCase()) {
    throw new ApiError("Conflict", `The deployment '${id}' is still running; cancel it or wait.`, { target: id });
  }
}

/** Nothing goes with it: no code, no resources elsewhere, no work under way; and the caller could delete it alone. */
async function isOnlyDocument(item: StoredDocument, request: TakeAlongRequest): Promise<boolean> {
  const { caller, permissions, types } = request;
  if (item.operationId !== undefined || !permissions.allows(caller, `${item.type}/write`, item.id)) {
    return false;
  }
  const { handler, policy } = await types.resolve(ResourceId.parse(item.id), item.apiVersion);
  // What the code of such a type makes, such as the namespace of an environment, is there to stay.
  const leavesAll = policy.mode === "sync" && handler.delete === undefined;
  if ((hasWork(handler) && !leavesAll) || handler.guardDelete !== undefined) {
    return false;
  }
  const document = await request.resources.get(item.id);
  const { provisioningState, status } = objectMember((await document?.parsed()) ?? {}, "properties");
  const isBusy = typeof provisioningState === "string" && !isTerminal(provisioningState);
  const outputs = isJsonObject(status) ? status["outputResources"] : [];
  return !isBusy && !(Array.isArray(outputs) && outputs.length > 0);
}

/**
 * Removes the history of a group but for what the last transaction can take. A deployment goes after its records, so that
 * none loses its owner.
 */
async function lastOfHistory({ document, resources, write }: TakeAlongRequest): Promise<readonly StoredDocument[]> {
  const some = async (type: string, limit: number): Promise<readonly StoredDocument[]> =>
    (await resources.list({ type, under: document.id, limit, withoutBodies: true })).items;
  const remove = (found: readonly StoredDocument[]): Promise<unknown> =>
    write({ also: found.map(({ id, etag }) => ({ kind: "remove", id, expect: { etag } })) });
  let records = await some(operationType, recordsAtOnce);
  for (; records.length === recordsAtOnce; records = await some(operationType, recordsAtOnce)) {
    await remove(records);
  }
  let deployments = await some(deploymentType, deploymentsAtOnce);
  for (; deployments.length === deploymentsAtOnce; deployments = await some(deploymentType, deploymentsAtOnce)) {
    await remove([...records, ...deployments]);
    records = [];
  }
  return [...records, ...deployments];
}
