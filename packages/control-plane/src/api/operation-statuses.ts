import { ApiError, isTerminal, type JsonObject, ResourceId } from "@rad/core";
import type { Operation, Store } from "@rad/store";
import { type Answer, jsonAnswer } from "@rad/modules";
import type { ApiRequest } from "./api-request.ts";
import { asyncHeaders } from "./async-links.ts";

/** `{plane}/providers/{ns}/locations/{location}/operationStatuses|operationResults/{id}` */
export interface OperationAddress {
  readonly view: "operationstatuses" | "operationresults";
  readonly location: string;
  readonly operationId: string;
}

export function readOperationAddress(id: ResourceId): OperationAddress | undefined {
  const [locations, operation, ...rest] = id.provider?.types ?? [];
  const view = operation?.type.toLowerCase();
  if (
    locations?.type.toLowerCase() !== "locations" ||
    (view !== "operationstatuses" && view !== "operationresults") ||
    operation?.name === undefined ||
    rest.length > 0
  ) {
    return undefined;
  }
  return { view, location: locations.name ?? "", operationId: operation.name };
}

/** @throws ApiError `NotFound`, also when the operation belongs to another plane or namespace than the URL says. */
export async function findOperation(store: Store, id: ResourceId, address: OperationAddress): Promise<Operation> {
  const operation = await store.operations.get(address.operationId.toLowerCase());
  const resource = operation === undefined ? undefined : ResourceId.parse(operation.resourceId);
  const samePlane = resource?.planeScope.toLowerCase() === id.planeScope.toLowerCase();
  const namespace = resource?.namespace === "" ? "System.Resources" : resource?.namespace;
  if (operation === undefined || !samePlane || namespace?.toLowerCase() !== id.namespace.toLowerCase()) {
    throw new ApiError("NotFound", `There is no operation '${address.operationId}' here.`, { target: id.toString() });
  }
  return operation;
}

export function answerOperation(
  request: ApiRequest,
  address: OperationAddress,
  operation: Operation,
  retryAfterSeconds: number,
): Answer {
  if (address.view === "operationstatuses") {
    return jsonAnswer(200, describeOperation(operationStatusId(request.id, address, operation), operation));
  }
  if (isTerminal(operation.state)) {
    return { status: 204 };
  }
  const resource = ResourceId.parse(operation.resourceId);
  const headers = asyncHeaders({
    linkBase: request.linkBase,
    id: resource,
    location: address.location,
    operationId: operation.id,
    apiVersion: request.apiVersion ?? operation.apiVersion,
    retryAfterSeconds,
  });
  return { status: 202, headers };
}

/** In the casing of the request. */
export function operationStatusId(id: ResourceId, { location }: OperationAddress, operation: Operation): string {
  const place = `${id.planeScope}/providers/${id.namespace.toLowerCase()}/locations/${location}`;
  return `${place}/operationstatuses/${operation.id}`;
}

export function describeOperation(statusId: string, operation: Operation): JsonObject {
  const ended = isTerminal(operation.state);
  return {
    id: statusId,
    name: operation.id,
    status: operation.state,
    startTime: operation.createdAt.toISOString(),
    ...(ended && operation.endedAt !== undefined ? { endTime: operation.endedAt.toISOString() } : {}),
    ...(operation.error === undefined ? {} : { error: { ...operation.error } as unknown as JsonObject }),
    ...(operation.steps.length === 0 ? {} : { properties: { steps: operation.steps as unknown as JsonObject[] } }),
  };
}
