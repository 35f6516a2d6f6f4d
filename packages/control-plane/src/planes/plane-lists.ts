import { ApiError, inSlices, printJson, ResourceId } from "@rad/core";
import { pageBytes, type Store, type StoredDocument } from "@rad/store";
import { concernsDeployments } from "../deployments/deployment-ids.ts";
import type { Answer } from "@rad/modules";
import type { ApiRequest } from "../api/api-request.ts";
import { listAnswer } from "../api/list-answer.ts";
import { explainToken, readPage } from "../api/list-resources.ts";
import { nextLink } from "../api/paging.ts";
import { requireSystemApiVersion } from "@rad/resources";
import type { PlaneTable } from "./plane-table.ts";

export type Readable = (type: string, id: string) => boolean;

/** These lists have everything in one answer, up to this. */
const perPage = 1_000;

/** `GET /planes`: every plane, aws before azure before radius, with no more of its properties than the state. */
export async function listAllPlanes(
  request: ApiRequest,
  { store, planes }: { readonly store: Store; readonly planes: PlaneTable },
  readable: Readable,
): Promise<Answer> {
  requireSystemApiVersion(request.apiVersion);
  const names = [...planes.names];
  let [position, after] = readPlaceInPlanes(request.parameter("skipToken"), names);
  const items: string[] = [];
  let bytesLeft = pageBytes;
  for (let name = names[position]; name !== undefined; position += 1, name = names[position]) {
    const { type } = ResourceId.parse(`/planes/${name}`);
    const limit = perPage - items.length;
    const from = after === undefined ? {} : { after };
    const page = await store
      .list({ type, under: `/planes/${name}`, limit, maxBytes: bytesLeft, ...from })
      .catch(explainToken);
    for (const item of page.items.filter(({ id }) => readable(type, id))) {
      const text = await inSlices(printJson({ ...item.body, properties: { provisioningState: "Succeeded" } }));
      bytesLeft -= text.length;
      items.push(text);
    }
    after = page.next;
    if (after !== undefined || bytesLeft <= 0 || items.length === perPage) {
      const token = after === undefined ? (names[position + 1] ?? "") : `${name}.${after}`;
      return listAnswer(items, token === "" ? undefined : nextLink(request, token, { path: "/planes" }));
    }
  }
  return listAnswer(items, undefined);
}

/** A token of that list names a plane type, and where to go on in it. */
function readPlaceInPlanes(
  token: string | undefined,
  names: readonly string[],
): [position: number, after: string | undefined] {
  const [name = "", after] = token?.split(".") ?? [names[0] ?? ""];
  const position = names.indexOf(name);
  if (position === -1) {
    throw new ApiError("BadRequest", "'skipToken' is not one that this list gave out.");
  }
  return [position, after];
}

/** `GET /planes/{type}` */
export async function listPlanes(request: ApiRequest, store: Store, readable: Readable): Promise<Answer> {
  requireSystemApiVersion(request.apiVersion);
  const under = `/planes/${request.id.scopes[0]?.type ?? ""}`;
  const { type } = ResourceId.parse(under);
  return await storedPage(request, store, { type, under }, readable);
}

/** `GET /planes/radius/{plane}/resourcegroups` */
export async function listGroups(request: ApiRequest, store: Store, readable: Readable): Promise<Answer> {
  requireSystemApiVersion(request.apiVersion);
  const type = "System.Resources/resourceGroups";
  return await storedPage(request, store, { type, under: request.id.planeScope }, readable);
}

async function storedPage(
  request: ApiRequest,
  store: Store,
  query: { readonly type: string; readonly under: string },
  readable: Readable,
): Promise<Answer> {
  const page = await readPage(store, request, { ...query, limit: perPage });
  const items = page.items.filter((item) => readable(query.type, item.id)).map((item) => item.json);
  return listAnswer(items, page.next === undefined ? undefined : nextLink(request, page.next));
}

/** `GET …/resourcegroups/{group}/resources`: what is in the group, by name only. How it got there is no part of that. */
export async function listTrackedResources(request: ApiRequest, store: Store, readable: Readable): Promise<ListedPage> {
  requireSystemApiVersion(request.apiVersion);
  const under = request.id.truncate().toString();
  const query = { under, directly: true, topLevel: true, withoutBodies: true, limit: perPage };
  const page = await readPage(store, request, query);
  const items = page.items
    .filter((item) => !concernsDeployments(ResourceId.parse(item.id)) && readable(item.type, item.id))
    .map(({ id, type }: StoredDocument) => JSON.stringify({ id, name: ResourceId.parse(id).name, type }));
  const answer = listAnswer(items, page.next === undefined ? undefined : nextLink(request, page.next));
  return { answer, isEmpty: items.length === 0 && page.next === undefined };
}

export interface ListedPage {
  readonly answer: Answer;
  /** Nothing is in the list, or nothing that the caller may see. */
  readonly isEmpty: boolean;
}
