import type { Store } from "@rad/store";
import { ResourceId } from "@rad/core";
import { jsonAnswer, type PlainRoute } from "@rad/modules";
import { providerType, type ProviderView, readProvider, type ServedType } from "@rad/resources";
import { openApiDocument } from "./openapi-document.ts";

/** `GET /openapi.json`: written anew for each request, because what is registered may have changed. */
export function openApiRoute(store: () => Store, builtIn: ReadonlyMap<string, ServedType>): PlainRoute {
  return {
    method: "GET",
    path: "/openapi.json",
    permission: "System.Resources/openapi/read",
    handle: async () => {
      const { items } = await store().list({ type: providerType, under: "/planes/radius" });
      const views: ProviderView[] = [];
      for (const item of items) {
        const id = ResourceId.parse(item.id);
        const view = await readProvider(store(), id.planeScope, id.name);
        if (view !== undefined) {
          views.push(view);
        }
      }
      return jsonAnswer(200, openApiDocument(builtIn, views));
    },
  };
}
