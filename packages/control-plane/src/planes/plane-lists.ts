import { type JsonObject, ResourceId } from "@rad/core";
import type { Store } from "@rad/store";
import { concernsDeployments } from "../deployments/deployment-ids.ts";
import { type Answer, jsonAnswer } from "@rad/modules";
import type { ApiRequest } from "../api/api-request.ts";
import { requireSystemApiVersion } from "@rad/resources";
import type { PlaneTable } from "./plane-table.ts";

export type Readable = (type: string, id: string) => boolean;

/** `GET /planes`: every plane, aws before azure before radius, with no more of its properties than the state. */
export async function listAllPlanes(
  request: ApiRequest,
  { store, planes }: { readonly store: Store; readonly planes: PlaneTable },
  readable: Readable,
): Promise<Answer> {
  requireSystemApiVersion(request.apiVersion);
  const value: JsonObject[] = [];
  for (const name of planes.names) {
    for (const body of await planesOf(store, name, readable)) {
      value.push({ ...body, properties: { provisioningState: "Succeeded" } });
    }
  }
  return jsonAnswer(200, { value });
}

/** `GET /planes/{type}` */
export async function listPlanes(request: ApiRequest, store: Store, readable: Readable): Promise<Answer> {
  requireSystemApiVersion(request.apiVersion);
  return jsonAnswer(200, { value: await planesOf(store, request.id.scopes[0]?.type ?? "", readable) });
}

/** `GET /planes/radius/{plane}/resourcegroups` */
export async function listGroups(request: ApiRequest, store: Store, readable: Readable): Promise<Answer> {
  requireSystemApiVersion(request.apiVersion);
  const type = "System.Resources/resourceGroups";
  const { items } = await store.list({ type, under: request.id.planeScope });
  return jsonAnswer(200, { value: items.filter((item) => readable(type, item.id)).map((item) => item.body) });
}

/** `GET …/resourcegroups/{group}/resources`: what is in the group, by name only. How it got there is no part of that. */
export async function listTrackedResources(
  request: ApiRequest,
  store: Store,
  readable: Readable,
): Promise<JsonObject[]> {
  requireSystemApiVersion(request.apiVersion);
  const group = request.id.truncate().toString();
  const { items } = await store.list({ under: group, directly: true, topLevel: true });
  return items
    .filter((item) => !concernsDeployments(ResourceId.parse(item.id)) && readable(item.type, item.id))
    .map((item) => ({ id: item.id, name: ResourceId.parse(item.id).name, type: item.type }));
}

async function planesOf(store: Store, planeType: string, readable: Readable): Promise<JsonObject[]> {
  const { type } = ResourceId.parse(`/planes/${planeType}`);
  const { items } = await store.list({ type, under: `/planes/${planeType}` });
  return items.filter((item) => readable(type, item.id)).map((item) => item.body);
}
