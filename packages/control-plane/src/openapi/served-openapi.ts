import { ResourceId } from "@rad/core";
import { providerType, type ProviderView, readProvider, type ServedType, type TypeModules } from "@rad/resources";
import { listAll, type Store } from "@rad/store";
import type { PlaneTable } from "../planes/plane-table.ts";
import { openApiText } from "./openapi-document.ts";

export interface ServedTypes {
  readonly store: Store;
  readonly types: TypeModules;
  readonly systemTypes: ReadonlyMap<string, ServedType>;
  readonly planes: PlaneTable;
}

/** The OpenAPI document of everything that is served at this moment. */
export function servedOpenApi(
  { store, types, systemTypes, planes }: ServedTypes,
  metricsPath: string,
): AsyncGenerator<string> {
  const registered = (): AsyncIterable<ProviderView> => providersIn(store);
  return openApiText({ planes, builtIn: systemTypes, registered, modules: types, metricsPath });
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
