import { isJsonObject, type JsonObject, objectMember, ResourceId } from "@rad/core";
import type { Store, StoredDocument } from "@rad/store";
import { apiVersionType, locationType, providerId, resourceTypeType } from "./provider-names.ts";
import { readSeededProvider, type SeededProvider } from "./seeded-provider.ts";

/** One resource provider with everything registered below it, read at one moment. */
export interface ProviderView {
  readonly provider: StoredDocument;
  readonly types: readonly TypeView[];
  readonly locations: readonly StoredDocument[];
  /** Absent when no start of the server registered the provider. */
  readonly seeded: SeededProvider | undefined;
}

export interface TypeView {
  readonly name: string;
  readonly document: StoredDocument;
  /** By version, spelled as registered. */
  readonly apiVersions: ReadonlyMap<string, StoredDocument>;
}

export async function readProvider(
  store: Store,
  planeScope: string,
  namespace: string,
): Promise<ProviderView | undefined> {
  const id = providerId(planeScope, namespace);
  const [provider, children, seeded] = await Promise.all([
    store.get(id),
    store.list({ under: id }),
    readSeededProvider(store, planeScope, namespace),
  ]);
  if (provider === undefined) {
    return undefined;
  }
  const ofType = (type: string): StoredDocument[] =>
    children.items.filter((item) => item.type.toLowerCase() === type.toLowerCase());
  const versions = ofType(apiVersionType);
  const types = ofType(resourceTypeType).map((document): TypeView => {
    const below = `${document.id.toLowerCase()}/`;
    const own = versions.filter((version) => version.id.toLowerCase().startsWith(below));
    return {
      name: ResourceId.parse(document.id).name,
      document,
      apiVersions: new Map(own.map((version) => [ResourceId.parse(version.id).name, version])),
    };
  });
  return { provider, types, locations: ofType(locationType), seeded };
}

/**
 * The schemas that requests of a type are checked with, by api-version: those of a built-in type are the program's own,
 * whatever was registered. `{}` where anything goes.
 */
export function servedSchemas(view: ProviderView, type: TypeView): ReadonlyMap<string, JsonObject> {
  const registered = [...type.apiVersions].map(([name, document]) => [name, registeredSchema(document)] as const);
  return new Map([...registered, ...(view.seeded?.schemas(type.name) ?? [])]);
}

/** `{}` says nothing, so it is the same as none. */
export function registeredSchema(version: StoredDocument): JsonObject {
  return objectMember(objectMember(version.body, "properties"), "schema");
}

/** The api-versions that a location lists for a type, whose name it may spell in any case. */
export function listedVersions(location: StoredDocument, typeName: string): ReadonlySet<string> {
  const listed = objectMember(objectMember(location.body, "properties"), "resourceTypes");
  const wanted = typeName.toLowerCase();
  const entry = Object.entries(listed).find(([name]) => name.toLowerCase() === wanted)?.[1];
  return new Set(isJsonObject(entry) ? Object.keys(objectMember(entry, "apiVersions")) : []);
}

/** `GET /planes/radius/{plane}/providers/{ns}` */
export function summarize(view: ProviderView, includeIcons: boolean): JsonObject {
  const resourceTypes: JsonObject = {};
  for (const type of view.types) {
    const { provisioningState: _state, icon, ...properties } = objectMember(type.document.body, "properties");
    const apiVersions: JsonObject = {};
    for (const [name, document] of type.apiVersions) {
      const schema = objectMember(document.body, "properties")["schema"];
      apiVersions[name] = schema === undefined ? {} : { schema };
    }
    resourceTypes[type.name] = {
      apiVersions,
      ...properties,
      ...(includeIcons && icon !== undefined ? { icon } : {}),
    };
  }
  const locations = Object.fromEntries(view.locations.map((item): [string, JsonObject] => [nameOf(item), {}]));
  return { name: nameOf(view.provider), locations, resourceTypes };
}

function nameOf(document: StoredDocument): string {
  return ResourceId.parse(document.id).name;
}
