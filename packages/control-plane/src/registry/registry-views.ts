import { ApiError, type JsonObject, objectMember, ResourceId } from "@rad/core";
import type { Store } from "@rad/store";
import type { Answer } from "@rad/modules";
import type { ApiRequest } from "../api/api-request.ts";
import { providerType, readProvider, requireSystemApiVersion, summarize } from "@rad/resources";
import { iconHash } from "./icon-hash.ts";

/** Which types a summary may describe; absent for all. A provider of which nothing is left is not shown at all. */
export type VisibleTypes = ((type: string) => boolean) | undefined;

/** `GET /planes/radius/{plane}/providers` */
export async function listSummaries(request: ApiRequest, store: Store, visible: VisibleTypes): Promise<JsonObject[]> {
  requireSystemApiVersion(request.apiVersion);
  const { items } = await store.list({ type: providerType, under: request.id.planeScope });
  const value: JsonObject[] = [];
  for (const item of items) {
    const summary = await findSummary(request, store, { namespace: ResourceId.parse(item.id).name, visible });
    if (summary !== undefined) {
      value.push(summary);
    }
  }
  return value;
}

/** `GET /planes/radius/{plane}/providers/{ns}` */
export async function findSummary(
  request: ApiRequest,
  store: Store,
  wanted: { readonly namespace: string; readonly visible: VisibleTypes },
): Promise<JsonObject | undefined> {
  requireSystemApiVersion(request.apiVersion);
  const { namespace, visible } = wanted;
  const view = await readProvider(store, request.id.planeScope, namespace);
  if (view === undefined || visible === undefined) {
    return view === undefined ? undefined : summarize(view, wantsIcons(request));
  }
  const types = view.types.filter((type) => visible(`${namespace}/${type.name}`));
  return types.length === 0 ? undefined : summarize({ ...view, types }, wantsIcons(request));
}

/** `GET …/resourcetypes/{type}/icons/{hash}`: content-addressed, so browsers may keep it for ever. */
export async function answerIcon(store: Store, typeId: ResourceId, hash: string): Promise<Answer> {
  const document = await store.get(typeId.toString());
  const properties = document === undefined ? {} : objectMember(document.body, "properties");
  const { icon, iconHash: stored } = properties;
  if (typeof icon !== "string" || stored !== hash || iconHash(icon) !== hash) {
    throw new ApiError("NotFound", `'${typeId.toString()}' has no icon '${hash}'.`, { target: typeId.toString() });
  }
  return {
    status: 200,
    headers: {
      "Content-Type": "image/svg+xml; charset=utf-8",
      "Cache-Control": "public, max-age=31536000, immutable",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; style-src 'none'; script-src 'none'; sandbox",
    },
    body: icon,
  };
}

function wantsIcons(request: ApiRequest): boolean {
  return request.parameter("includeIcons") === "true";
}
