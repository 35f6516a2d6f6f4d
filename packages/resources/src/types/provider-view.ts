import { isJsonObject, type JsonObject, objectMember, ResourceId } from "@rad/core";
import type { Store, StoredDocument } from "@rad/store";

export const providerType = "System.Resources/resourceProviders";
export const resourceTypeType = `${providerType}/resourceTypes`;
export const apiVersionType = `${resourceTypeType}/apiVersions`;
export const locationType = `${providerType}/locations`;

/** One resource provider with everything registered below it, read at one moment. */
export interface ProviderView {
  readonly provider: StoredDocument;
  readonly types: readonly TypeView[];
  readonly locations: readonly StoredDocument[];
}

export interface TypeView {
  readonly name: string;
  readonly document: StoredDocument;
  /** By version, spelled as registered. */
  readonly apiVersions: ReadonlyMap<string, StoredDocument>;
}

export function providerId(planeScope: string, namespace: string): string {
  return `${planeScope}/providers/${providerType}/${namespace}`;
}

export async function readProvider(
  store: Store,
  planeScope: string,
  namespace: string,
): Promise<ProviderView | undefined> {
  const id = providerId(planeScope, namespace);
  const [provider, children] = await Promise.all([store.get(id), store.list({ under: id })]);
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
  return { provider, types, locations: ofType(locationType) };
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
