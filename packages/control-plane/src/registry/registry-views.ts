import { ApiError, inSlices, type JsonObject, objectMember, printJson, ResourceId } from "@rad/core";
import { pageBytes, type Store } from "@rad/store";
import type { Answer } from "@rad/modules";
import type { ApiRequest } from "../api/api-request.ts";
import { listAnswer } from "../api/list-answer.ts";
import { explainToken } from "../api/list-resources.ts";
import { nextLink } from "../api/paging.ts";
import type { ListedPage } from "../planes/plane-lists.ts";
import { providerType, readProvider, requireSystemApiVersion, summarize } from "@rad/resources";
import { iconHash } from "./icon-hash.ts";

/** Which types a summary may describe; absent for all. A provider of which nothing is left is not shown at all. */
export type VisibleTypes = ((type: string) => boolean) | undefined;

/** `GET /planes/radius/{plane}/providers`: one provider after the other, as many as fit into a page. */
export async function listSummaries(request: ApiRequest, store: Store, visible: VisibleTypes): Promise<ListedPage> {
  requireSystemApiVersion(request.apiVersion);
  const under = request.id.planeScope;
  const items: string[] = [];
  let bytesLeft = pageBytes;
  let after = request.parameter("skipToken");
  do {
    const from = after === undefined ? {} : { after };
    const page = await store
      .list({ type: providerType, under, limit: 1, withoutBodies: true, ...from })
      .catch(explainToken);
    const [provider] = page.items;
    const namespace = provider === undefined ? "" : ResourceId.parse(provider.id).name;
    const summary = provider && (await findSummary(request, store, { namespace, visible }));
    if (summary !== undefined) {
      const text = await inSlices(printJson(summary));
      bytesLeft -= text.length;
      if (bytesLeft < 0 && items.length > 0 && after !== undefined) {
        const answer = listAnswer(items, nextLink(request, after, { path: `${request.id.toString()}/providers` }));
        return { answer, isEmpty: false };
      }
      items.push(text);
    }
    after = page.next;
  } while (after !== undefined);
  return { answer: listAnswer(items, undefined), isEmpty: items.length === 0 };
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
    return view === undefined ? undefined : await summarize(view, wantsIcons(request));
  }
  const types = view.types.filter((type) => visible(`${namespace}/${type.name}`));
  return types.length === 0 ? undefined : await summarize({ ...view, types }, wantsIcons(request));
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
