import { ApiError, isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { KubernetesObject, ObjectName } from "./kubernetes-object.ts";
import { nameOf } from "./kubernetes-object.ts";

const kindPattern = /^[A-Za-z][A-Za-z0-9]*$/;
const groupPattern = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/i;
const maxLength = 253;

/** The name of an object that comes from a template, so that any member may be missing. @throws ApiError `BadRequest` */
export function checkObject(object: JsonObject): ObjectName {
  const { apiVersion, kind, metadata } = object;
  if (typeof apiVersion !== "string" || !/^([^/]+\/)?[^/]+$/.test(apiVersion)) {
    throw invalid("has no apiVersion such as 'v1' or 'apps/v1'", object);
  }
  if (typeof kind !== "string") {
    throw invalid("has no kind", object);
  }
  if (!isJsonObject(metadata) || typeof metadata["name"] !== "string" || metadata["name"] === "") {
    throw invalid("has no metadata.name", object);
  }
  if (metadata["namespace"] !== undefined && typeof metadata["namespace"] !== "string") {
    throw invalid("has a metadata.namespace that is not a string", object);
  }
  const name = nameOf(object as KubernetesObject);
  checkName(name);
  return name;
}

/** Names become parts of URLs and of file names, so only those that Kubernetes can have pass. */
export function checkName(name: ObjectName): void {
  if (!kindPattern.test(name.kind)) {
    throw new ApiError("BadRequest", `'${name.kind}' is not a kind of Kubernetes objects.`);
  }
  if (name.group !== "" && (!groupPattern.test(name.group) || name.group.length > maxLength)) {
    throw new ApiError("BadRequest", `'${name.group}' is not an API group of Kubernetes.`);
  }
  if (!isPathSegment(name.name)) {
    throw new ApiError("BadRequest", `'${name.name}' is not a name that a ${name.kind} can have in Kubernetes.`);
  }
  if (name.namespace !== undefined && !(isPathSegment(name.namespace) && groupPattern.test(name.namespace))) {
    throw new ApiError("BadRequest", `'${name.namespace}' is not a name that a Kubernetes namespace can have.`);
  }
}

/** For messages: `Deployment 'web' in namespace 'shop'`. */
export function describeObject({ kind, namespace, name }: ObjectName): string {
  return namespace === undefined ? `${kind} '${name}'` : `${kind} '${name}' in namespace '${namespace}'`;
}

function isPathSegment(text: string): boolean {
  return text.length > 0 && text.length <= maxLength && text !== "." && text !== ".." && !/[/%\p{Cc}]/u.test(text);
}

function invalid(problem: string, { kind, metadata }: JsonObject): ApiError {
  const name = isJsonObject(metadata) ? metadata["name"] : undefined;
  const known = [kind, name].flatMap((part) => (typeof part === "string" && part !== "" ? [part] : [])).join(" ");
  return new ApiError("BadRequest", `The Kubernetes object${known === "" ? "" : ` (${known})`} ${problem}.`);
}
