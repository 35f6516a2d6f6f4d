import { listAll, type Store } from "@rad/store";
import { ResourceId } from "@rad/core";
import type { Route } from "@rad/modules";
import { providerType, type ProviderView, readProvider, type ServedType, type TypeModules } from "@rad/resources";
import type { PlaneTable } from "../planes/plane-table.ts";
import { openApiText } from "./openapi-document.ts";

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
    handle: () => {
      const { store, types, systemTypes, planes } = backend();
      const registered = (): AsyncIterable<ProviderView> => providersIn(store);
      const body = openApiText({ planes, builtIn: systemTypes, registered, modules: types });
      return { status: 200, headers: { "Content-Type": "application/json" }, body };
    },
  };
}

async function* providersIn(store: Store): AsyncGenerator<ProviderView> {
  const query = { type: providerType, under: "/planes/radius", withoutBodies: true };
  for await (const provider of listAll((page) => store.list(page), query)) {
    const id = ResourceId.parse(provider.id);
    const view = await readProvider(store, id.planeScope, id.name);
    if (view !== undefined) {
      yield view;
    }
  }
}
