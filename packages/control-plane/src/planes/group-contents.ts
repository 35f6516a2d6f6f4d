import { ApiError, isJsonObject, isTerminal, objectMember, ResourceId } from "@rad/core";
import { deploymentType, operationType } from "@rad/deployments";
import { conflictWith, hasWork, mostNamed, type TakeAlongRequest, type TakenAlong } from "@rad/resources";
import type { StoredDocument } from "@rad/store";

/** Resources that a DELETE of their group takes along; those who have more should see what they delete. */
const mostTaken = 1_000;
const pageSize = 500;
const history = new Set([deploymentType.toLowerCase(), operationType.toLowerCase()]);

/**
 * What goes with a group: resources that are nothing but their document, and the history of deployments.
 * @throws ApiError `Conflict` with a list when anything else is there, and then nothing goes.
 */
export async function groupContents(request: TakeAlongRequest): Promise<TakenAlong> {
  const { document } = request;
  const resources: StoredDocument[] = [];
  const records: StoredDocument[] = [];
  const inTheWay: StoredDocument[] = [];
  for await (const item of documentsBelow(request)) {
    if (history.has(item.type.toLowerCase())) {
      refuseWhileDeploying(item);
      records.push(item);
    } else {
      const list = (await isOnlyDocument(item, request)) ? resources : inTheWay;
      list.push(item);
    }
    if (inTheWay.length >= mostNamed || resources.length > mostTaken) {
      break;
    }
  }
  if (inTheWay.length > 0 || resources.length > mostTaken) {
    throw conflictWith(document.id, inTheWay.length > 0 ? inTheWay : resources);
  }
  return { resources, records };
}

async function* documentsBelow({ document, resources }: TakeAlongRequest): AsyncGenerator<StoredDocument> {
  let after: string | undefined;
  do {
    const page = await resources.list({
      under: document.id,
      limit: pageSize,
      ...(after === undefined ? {} : { after }),
    });
    yield* page.items;
    after = page.next;
  } while (after !== undefined);
}

function refuseWhileDeploying({ id, operationId, type }: StoredDocument): void {
  if (operationId !== undefined && type.toLowerCase() === deploymentType.toLowerCase()) {
    throw new ApiError("Conflict", `The deployment '${id}' is still running; cancel it or wait.`, { target: id });
  }
}

/** Nothing is behind it: no code, no resources elsewhere, no work under way; and the caller could delete it alone. */
async function isOnlyDocument(item: StoredDocument, request: TakeAlongRequest): Promise<boolean> {
  const { caller, permissions, types } = request;
  const { provisioningState, status } = objectMember(item.body, "properties");
  const isBusy = typeof provisioningState === "string" && !isTerminal(provisioningState);
  if (item.operationId !== undefined || isBusy || !permissions.allows(caller, `${item.type}/write`, item.id)) {
    return false;
  }
  const outputs = isJsonObject(status) ? status["outputResources"] : [];
  if (Array.isArray(outputs) && outputs.length > 0) {
    return false;
  }
  const { handler } = await types.resolve(ResourceId.parse(item.id), item.apiVersion);
  return !hasWork(handler) && handler.guardDelete === undefined;
}
