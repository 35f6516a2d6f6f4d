import { ApiError, isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import type { KubernetesObject } from "@rad/kubernetes";
import { readManifests } from "@rad/resource-types/manifests";
import { encodeBase64, encodeUtf8 } from "@rad/templates/bytes";
import { textMember } from "../../../rendering/members.ts";
import { shapeProblems } from "./base-shapes.ts";

/** The objects of `runtimes.kubernetes.base`, which rendering starts from. */
export interface BaseManifest {
  readonly deployment?: KubernetesObject | undefined;
  readonly service?: KubernetesObject | undefined;
  readonly serviceAccount?: KubernetesObject | undefined;
  /** ConfigMaps and Secrets, which are deployed as they are. */
  readonly others: readonly KubernetesObject[];
}

const target = "$.properties.runtimes.kubernetes.base";
const deploymentKind = "apps/v1, Kind=Deployment";
const serviceKind = "/v1, Kind=Service";
const serviceAccountKind = "/v1, Kind=ServiceAccount";
const freeKinds = ["/v1, Kind=ConfigMap", "/v1, Kind=Secret"];
const singleKinds = [deploymentKind, serviceKind, serviceAccountKind];

/**
 * @param name of the container, which its Deployment, Service and ServiceAccount have, too.
 * @throws ApiError with every problem of the manifest.
 */
export function readBaseManifest(text: string | undefined, name: string): BaseManifest {
  if (text === undefined || text.trim() === "") {
    return { others: [] };
  }
  const sources = readManifests(text);
  refuse(
    sources.flatMap(({ problems }) =>
      problems.map(({ line, column, message }) => `line ${line}, column ${column}: ${message}`),
    ),
  );
  const values = sources.map(({ value }) => value);
  const objects = values.filter(isObject).map(withoutNoise);
  const foreign = values.length - objects.length;
  refuse(foreign === 0 ? [] : ["every document has to be an object with apiVersion, kind and metadata.name."]);
  refuse([
    ...objects.flatMap((object) => [...objectProblems(object, name)]),
    ...countProblems(objects),
    ...twins(objects),
  ]);
  const find = (kind: string): KubernetesObject | undefined =>
    objects.find((object) => groupVersionKind(object) === kind);
  const manifest = {
    deployment: find(deploymentKind),
    service: find(serviceKind),
    serviceAccount: find(serviceAccountKind),
    others: objects.filter((object) => freeKinds.includes(groupVersionKind(object))).map(withEncodedData),
  };
  refuse(accountProblems(manifest));
  return manifest;
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) {
    const details = problems.map((message) => ({ code: "InvalidRequestContent", message, target }));
    throw new ApiError("InvalidRequestContent", "The manifest includes invalid resources.", { target, details });
  }
}

function isObject(value: JsonValue): value is KubernetesObject {
  return (
    isJsonObject(value) &&
    typeof value["apiVersion"] === "string" &&
    typeof value["kind"] === "string" &&
    isJsonObject(value["metadata"]) &&
    typeof value["metadata"]["name"] === "string"
  );
}

/** Tools that print manifests leave an empty status and members that are `null` in them. */
function withoutNoise(object: KubernetesObject): KubernetesObject {
  const { status: _status, ...rest } = withoutNulls(object) as KubernetesObject;
  return rest;
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.map(withoutNulls);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/** As Kubernetes prints it: `apps/v1, Kind=Deployment`, and `/v1, Kind=Service` for the core group. */
function groupVersionKind({ apiVersion, kind }: KubernetesObject): string {
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

function* objectProblems(object: KubernetesObject, name: string): Generator<string> {
  const { kind, metadata } = object;
  const type = groupVersionKind(object);
  if (!singleKinds.includes(type) && !freeKinds.includes(type)) {
    yield `${type} is not supported.`;
    return;
  }
  if (metadata.namespace !== undefined) {
    yield `namespace is not allowed in resources: ${metadata.namespace}.`;
  }
  if (singleKinds.includes(type) && metadata.name.toLowerCase() !== name) {
    yield `${kind} name ${metadata.name} in manifest does not match resource name ${name}.`;
  }
  yield* shapeProblems(object);
}

function countProblems(objects: readonly KubernetesObject[]): string[] {
  return singleKinds.flatMap((type) => {
    const found = objects.filter((object) => groupVersionKind(object) === type);
    return found.length < 2
      ? []
      : [`only one ${found[0]?.kind} is allowed, but the manifest includes ${found.length} resources.`];
  });
}

function twins(objects: readonly KubernetesObject[]): string[] {
  const names = objects
    .filter((object) => freeKinds.includes(groupVersionKind(object)))
    .map(({ kind, metadata }) => `${kind} name ${metadata.name}`);
  const seen = new Set<string>();
  const again = names.filter((name) => seen.size === seen.add(name).size);
  return [...new Set(again)].map((name) => `${name} is there more than once.`);
}

function accountProblems({ deployment, serviceAccount }: BaseManifest): string[] {
  const account = textMember(podSpecOf(deployment), "serviceAccountName");
  const name = serviceAccount?.metadata.name;
  return account === undefined || name === undefined || account === name
    ? []
    : [`ServiceAccount name ${account} in PodSpec does not match the name ${name} of the ServiceAccount.`];
}

/** The pod specification of a Deployment whose shape was checked. */
export function podSpecOf(deployment: KubernetesObject | undefined): JsonObject {
  return objectMember(objectMember(objectMember(deployment ?? {}, "spec"), "template"), "spec");
}

/** Whatever is rendered has its Secrets in one form only, `data`. */
function withEncodedData(object: KubernetesObject): KubernetesObject {
  const { stringData, ...rest } = object;
  if (object.kind !== "Secret" || !isJsonObject(stringData)) {
    return object;
  }
  const encoded = Object.keys(stringData).map((key) => [
    key,
    encodeBase64(encodeUtf8(textMember(stringData, key) ?? "")),
  ]);
  return { ...rest, data: { ...objectMember(object, "data"), ...(Object.fromEntries(encoded) as JsonObject) } };
}
