import type { Store } from "@rad/store";
import { ResourceId } from "@rad/core";
import { jsonAnswer, type PlainRoute } from "@rad/modules";
import { providerType, type ProviderView, readProvider, type ServedType, type TypeModules } from "@rad/resources";
import { openApiDocument } from "./openapi-document.ts";

interface ServedTypes {
  readonly store: Store;
  readonly types: TypeModules;
}

/** `GET /openapi.json`: written anew for each request, because what is registered may have changed. */
export function openApiRoute(backend: () => ServedTypes, system: ReadonlyMap<string, ServedType>): PlainRoute {
  return {
    method: "GET",
    path: "/openapi.json",
    permission: "System.Resources/openapi/read",
    handle: async () => {
      const { store, types } = backend();
      const { items } = await store.list({ type: providerType, under: "/planes/radius" });
      const views: ProviderView[] = [];
      for (const item of items) {
        const id = ResourceId.parse(item.id);
        const view = await readProvider(store, id.planeScope, id.name);
        if (view !== undefined) {
          views.push(view);
        }
      }
      return jsonAnswer(200, openApiDocument(system, views, types));
    },
  };
}
