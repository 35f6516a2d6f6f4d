import { ApiError, type JsonObject, objectMember, ResourceId } from "@rad/core";
import { iconHash } from "@rad/resource-types";
import type { Store } from "@rad/store";
import { type Answer, jsonAnswer } from "../http/answer.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { requireSystemApiVersion } from "../resources/built-in-type.ts";
import { providerType, readProvider, summarize } from "./provider-view.ts";

/** `GET /planes/radius/{plane}/providers` */
export async function answerSummaries(request: ApiRequest, store: Store): Promise<Answer> {
  requireSystemApiVersion(request.apiVersion);
  const { items } = await store.list({ type: providerType, under: request.id.planeScope });
  const value: JsonObject[] = [];
  for (const item of items) {
    const view = await readProvider(store, request.id.planeScope, ResourceId.parse(item.id).name);
    if (view !== undefined) {
      value.push(summarize(view, wantsIcons(request)));
    }
  }
  return jsonAnswer(200, { value });
}

/** `GET /planes/radius/{plane}/providers/{ns}` */
export async function answerSummary(request: ApiRequest, store: Store, namespace: string): Promise<Answer> {
  requireSystemApiVersion(request.apiVersion);
  const view = await readProvider(store, request.id.planeScope, namespace);
  if (view === undefined) {
    const target = `${request.id.planeScope}/providers/${namespace}`;
    throw new ApiError("NotFound", `The resource provider '${namespace}' does not exist.`, { target });
  }
  return jsonAnswer(200, summarize(view, wantsIcons(request)));
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
    text: icon,
  };
}

function wantsIcons(request: ApiRequest): boolean {
  return request.parameter("includeIcons") === "true";
}
