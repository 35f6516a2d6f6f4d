import { ApiError } from "@rad/core";
import { describeObject } from "../check-object.ts";
import type { ObjectName } from "../kubernetes-object.ts";
import type { ServedKind } from "./discovery.ts";

/** `/apis/apps/v1/namespaces/shop/deployments/web` @throws ApiError `BadRequest` for a namespace too many or too few */
export function objectPath(served: ServedKind, name: ObjectName): string {
  return `${collectionPath(served, name)}/${encodeURIComponent(name.name)}`;
}

/** `/apis/apps/v1/namespaces/shop/deployments` */
export function collectionPath(served: ServedKind, name: ObjectName): string {
  const { group, version, plural, isNamespaced } = served;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  if (isNamespaced !== (name.namespace !== undefined)) {
    const problem = isNamespaced
      ? "needs a namespace"
      : "is of a kind that is in no namespace: remove metadata.namespace";
    throw new ApiError("BadRequest", `${describeObject(name)} ${problem}.`);
  }
  return name.namespace === undefined
    ? `${root}/${plural}`
    : `${root}/namespaces/${encodeURIComponent(name.namespace)}/${plural}`;
}
