import { type Client, ClientError, type Deployment } from "@rad/client";
import { type JsonObject, objectMember } from "@rad/core";
import type { Colors } from "../output/colors.ts";
import { naturalOrder } from "../output/natural-order.ts";
import { printableLine } from "../output/printable.ts";
import { createTypeLookup } from "../resources/type-lookup.ts";
import { outputLines } from "./output-lines.ts";
import { hasRuntime, manifestsText, readRuntimes, recordedOnlyText } from "./recorded-only.ts";
import type { Followed } from "./follow-deployment.ts";
import { alignedColumns } from "../progress/list-lines.ts";
import type { ItemChange } from "../progress/progress-item.ts";
import { describeId } from "../progress/progress-item.ts";

/** What a deployment has come to. */
export interface DeploymentResult {
  readonly deployment: Deployment;
  /** By name. */
  readonly resources: readonly ResultResource[];
  readonly endpoints: readonly Endpoint[];
  /** What the control plane did, but advises against, each once. */
  readonly warnings: readonly string[];
  /** Kubernetes objects are written to a folder, where nothing runs. */
  readonly writesManifests: boolean;
}

export interface ResultResource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly change: ItemChange | undefined;
  /** Whether anything is started for it; `undefined` when the control plane does not tell. */
  readonly hasRuntime: boolean | undefined;
}

export interface Endpoint {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly url: string;
}

export async function collectResult(client: Client, followed: Followed): Promise<DeploymentResult> {
  const { deployment, items } = followed;
  const changes = new Map(items.map((item) => [item.id.toLowerCase(), item.change]));
  const runtimes = await readRuntimes(client);
  const resources = deployment.outputResources
    .map((id) => ({ id, ...describeId(id), change: changes.get(id.toLowerCase()) }))
    .map((resource) => ({ ...resource, hasRuntime: hasRuntime(resource, runtimes) }))
    .sort((a, b) => naturalOrder(a.name, b.name) || naturalOrder(a.type, b.type));
  const warnings = [...new Set(followed.warnings)];
  const endpoints = await findEndpoints(client, resources);
  return { deployment, resources, endpoints, warnings, writesManifests: runtimes?.writesManifests ?? false };
}

/** As one JSON document. */
export function resultJson({ deployment, resources, endpoints, warnings }: DeploymentResult): JsonObject {
  const { id, name, state, correlationId, timestamp, duration, outputs, error } = deployment;
  return {
    id,
    name,
    provisioningState: state,
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(duration === undefined ? {} : { duration }),
    resources: resources.map(({ change, hasRuntime: runs, ...resource }) => ({
      ...resource,
      ...(change === undefined ? {} : { change }),
      ...(runs === undefined ? {} : { hasRuntime: runs }),
    })),
    outputs: Object.fromEntries(Object.entries(outputs).map(([key, output]) => [key, { ...output }])),
    endpoints: endpoints.map((endpoint) => ({ ...endpoint })),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
    ...(error?.wire === undefined ? {} : { error: error.wire }),
  };
}

/** For people: what is there now, where to reach it, and what the template tells. */
export function resultText(
  { deployment, resources, endpoints, writesManifests }: DeploymentResult,
  colors: Colors,
): string {
  const resourceColumns = alignedColumns(resources);
  const endpointColumns = alignedColumns(endpoints);
  const notes = `${recordedOnlyText(resources)}${manifestsText(resources, writesManifests)}`;
  return [
    ...section(
      "Resources:",
      resources.map((resource) => `${resourceColumns(resource)} ${changeText(resource, colors)}`.trimEnd()),
    ),
    ...section(
      "Public Endpoints:",
      endpoints.map((endpoint) => `${endpointColumns(endpoint)} ${urlText(endpoint)}`),
    ),
    ...section("Outputs:", outputLines(deployment.outputs)),
    ...(notes === "" ? [] : [`\n${notes}`]),
  ].join("");
}

/** `unknown` is what the API says, as upstream does; people need to know what to do about it. */
function urlText({ url }: Endpoint): string {
  return url === "unknown" ? "unknown (set kubernetes.publicEndpoint of the control plane)" : printableLine(url);
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`\n${heading}\n`, ...lines.map((line) => `    ${line}\n`)];
}

function changeText({ change }: ResultResource, colors: Colors): string {
  switch (change) {
    case undefined:
      return "";
    case "created":
      return colors.green(change);
    case "changed":
      return colors.yellow(change);
    case "unchanged":
      return colors.dim(change);
    default:
      return change satisfies never;
  }
}

const gatewayType = "applications.core/gateways";

async function findEndpoints(client: Client, resources: readonly ResultResource[]): Promise<Endpoint[]> {
  const gateways = resources.filter(({ type }) => type.toLowerCase() === gatewayType);
  const types = createTypeLookup(client);
  const endpoints: Endpoint[] = [];
  for (const { id, name, type } of gateways) {
    const url = await gatewayUrl(client, id, (await types.find(type)).apiVersion);
    if (url !== undefined) {
      endpoints.push({ id, name, type, url });
    }
  }
  return endpoints;
}

/** One that was deleted meanwhile has no URL, and that is no reason to call the deployment a failure. */
async function gatewayUrl(client: Client, id: string, apiVersion: string): Promise<string | undefined> {
  try {
    const { url } = objectMember(await client.resources.get(id, { apiVersion }), "properties");
    return typeof url === "string" && url !== "" ? url : undefined;
  } catch (error) {
    if (error instanceof ClientError && error.isNotFound) {
      return undefined;
    }
    throw error;
  }
}
