import { ApiError, type ResourceId } from "@rad/core";
import type { StoredDocument } from "@rad/store";

export interface Preconditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** @throws ApiError `PreconditionFailed` unless the stored document is what the request's headers ask for. */
export function checkPreconditions(
  conditions: Preconditions,
  current: StoredDocument | undefined,
  id: ResourceId,
): void {
  const { ifMatch, ifNoneMatch } = conditions;
  if (ifMatch !== undefined && (current === undefined || (ifMatch !== "*" && ifMatch !== current.etag))) {
    const reason = current === undefined ? "does not exist" : `has the ETag ${current.etag}`;
    throw new ApiError("PreconditionFailed", `If-Match asks for ${ifMatch}, but the resource ${reason}.`, {
      target: id.toString(),
    });
  }
  if (ifNoneMatch === "*" && current !== undefined) {
    throw new ApiError("PreconditionFailed", "If-None-Match asks for a new resource, but it exists already.", {
      target: id.toString(),
    });
  }
}
