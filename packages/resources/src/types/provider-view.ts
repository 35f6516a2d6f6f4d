import { inSlices, isJsonObject, type JsonObject, objectMember, Pace, ResourceId, type Sliced } from "@rad/core";
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

/** What one registration costs, of which there may be tens of thousands; see `Pace`. */
export const registrationSteps = 10;

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
  return { provider, seeded, ...(await inSlices(sortRegistrations(children.items))) };
}

function* sortRegistrations(
  registrations: readonly StoredDocument[],
): Sliced<Pick<ProviderView, "types" | "locations">> {
  const types: TypeView[] = [];
  const locations: StoredDocument[] = [];
  const versionsOf = new Map<string, Map<string, StoredDocument>>();
  const pace = new Pace();
  for (const document of registrations) {
    const id = ResourceId.parse(document.id);
    switch (document.type.toLowerCase()) {
      case resourceTypeType.toLowerCase():
        types.push({ name: id.name, document, apiVersions: entry(versionsOf, id.key) });
        break;
      case apiVersionType.toLowerCase():
        entry(versionsOf, id.truncate().key).set(id.name, document);
        break;
      case locationType.toLowerCase():
        locations.push(document);
        break;
      default:
    }
    const pause = pace.spend(registrationSteps);
    if (pause !== undefined) {
      yield pause;
    }
  }
  return { types, locations };
}

function entry<Value>(maps: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  let found = maps.get(key);
  if (found === undefined) {
    found = new Map();
    maps.set(key, found);
  }
  return found;
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

/** The api-versions that a location lists, by the lower-cased name of the type. */
export function listedVersions(location: StoredDocument): ReadonlyMap<string, ReadonlySet<string>> {
  const listed = objectMember(objectMember(location.body, "properties"), "resourceTypes");
  const versions = new Map<string, ReadonlySet<string>>();
  for (const [name, type] of Object.entries(listed)) {
    const key = name.toLowerCase();
    if (!versions.has(key)) {
      versions.set(key, new Set(isJsonObject(type) ? Object.keys(objectMember(type, "apiVersions")) : []));
    }
  }
  return versions;
}

/** `GET /planes/radius/{plane}/providers/{ns}` */
export async function summarize(view: ProviderView, includeIcons: boolean): Promise<JsonObject> {
  const resourceTypes: JsonObject = {};
  const pace = new Pace();
  for (const type of view.types) {
    const body = await type.document.parsed();
    const { provisioningState: _state, icon, ...properties } = objectMember(body, "properties");
    const apiVersions: JsonObject = {};
    for (const [name, document] of type.apiVersions) {
      const schema = objectMember(await document.parsed(), "properties")["schema"];
      apiVersions[name] = schema === undefined ? {} : { schema };
      await pace.spend(registrationSteps);
    }
    await pace.spend(registrationSteps);
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
