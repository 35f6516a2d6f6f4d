import type { ResourceId } from "@rad/core";

export interface AsyncLinkParts {
  readonly linkBase: string;
  readonly id: ResourceId;
  readonly location: string;
  readonly operationId: string;
  readonly apiVersion: string;
  readonly retryAfterSeconds: number;
}

/** Where a client follows an accepted change. The links name the plane, never the group. */
export function asyncHeaders(parts: AsyncLinkParts): Record<string, string> {
  const { id } = parts;
  const namespace = id.namespace === "" ? "System.Resources" : id.namespace;
  const place = `${parts.linkBase}${id.planeScope}/providers/${namespace}/locations/${parts.location}`;
  const query = `?api-version=${encodeURIComponent(parts.apiVersion)}`;
  return {
    Location: `${place}/operationResults/${parts.operationId}${query}`,
    "Azure-AsyncOperation": `${place}/operationStatuses/${parts.operationId}${query}`,
    "Retry-After": String(parts.retryAfterSeconds),
  };
}
