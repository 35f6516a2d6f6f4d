import type { Store } from "@rad/store";
import { ResourceId } from "@rad/core";
import { jsonAnswer, type Route } from "@rad/modules";
import { providerType, type ProviderView, readProvider, type ServedType, type TypeModules } from "@rad/resources";
import type { PlaneTable } from "../planes/plane-table.ts";
import { openApiDocument } from "./openapi-document.ts";

interface ServedTypes {
  readonly store: Store;
  readonly types: TypeModules;
  readonly systemTypes: ReadonlyMap<string, ServedType>;
  readonly planes: PlaneTable;
}

/** `GET /openapi.json`: written anew for each request, because what is registered may have changed. */
export function openApiRoute(backend: () => ServedTypes): Route {
  return {
    method: "GET",
    path: "/openapi.json",
    permission: "System.Resources/openapi/read",
    handle: async () => {
      const { store, types, systemTypes, planes } = backend();
      const { items } = await store.list({ type: providerType, under: "/planes/radius" });
      const views: ProviderView[] = [];
      for (const item of items) {
        const id = ResourceId.parse(item.id);
        const view = await readProvider(store, id.planeScope, id.name);
        if (view !== undefined) {
          views.push(view);
        }
      }
      return jsonAnswer(200, openApiDocument({ planes, builtIn: systemTypes, registered: views, modules: types }));
    },
  };
}
