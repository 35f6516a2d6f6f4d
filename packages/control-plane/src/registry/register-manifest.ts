import { type Clock, type JsonObject, objectMember } from "@rad/core";
import { defaultIconHash, iconHash, type Manifest } from "@rad/resource-types";
import { type DocumentInput, type Store, StoreError } from "@rad/store";
import { systemCaller, systemRecords } from "../resources/audit.ts";
import { systemApiVersion } from "../resources/built-in-type.ts";
import { mergeSystemData, type SystemData } from "../identity/index.ts";
import { apiVersionType, locationType, providerId, providerType, resourceTypeType } from "./provider-view.ts";

export interface RegisterOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly planeScope: string;
  readonly location: string;
}

/**
 * Registers a manifest straight in the store, as the server does with its own at start. Documents that say the same
 * already are left alone, so that a restart changes nothing and two processes may start at once.
 */
export async function registerManifest(manifest: Manifest, options: RegisterOptions): Promise<void> {
  const provider = providerId(options.planeScope, manifest.namespace);
  await put(options, { id: provider, type: providerType, properties: {}, tracked: true });
  const listed: JsonObject = {};
  for (const type of manifest.types) {
    const id = `${provider}/resourceTypes/${type.name}`;
    await put(options, { id, type: resourceTypeType, properties: typeProperties(type), tracked: false });
    const apiVersions: JsonObject = {};
    for (const version of type.apiVersions) {
      const properties: JsonObject = Object.keys(version.schema).length === 0 ? {} : { schema: version.schema };
      await put(options, { id: `${id}/apiVersions/${version.name}`, type: apiVersionType, properties, tracked: false });
      apiVersions[version.name] = {};
    }
    listed[type.name] = { apiVersions };
  }
  const { name, address } = manifest.location;
  const id = `${provider}/locations/${name}`;
  const known = objectMember(objectMember((await options.store.get(id))?.body ?? {}, "properties"), "resourceTypes");
  // Somebody may have added types of their own to the namespace since.
  const resourceTypes = { ...known, ...listed };
  const properties = { ...(address === undefined ? {} : { address }), resourceTypes };
  await put(options, { id, type: locationType, properties, tracked: false });
}

function typeProperties(type: Manifest["types"][number]): JsonObject {
  return {
    capabilities: [...type.capabilities],
    ...(type.defaultApiVersion === undefined ? {} : { defaultApiVersion: type.defaultApiVersion }),
    ...(type.description === undefined ? {} : { description: type.description }),
    ...(type.icon === undefined ? { iconHash: defaultIconHash } : { icon: type.icon, iconHash: iconHash(type.icon) }),
  };
}

interface Registration {
  readonly id: string;
  readonly type: string;
  readonly properties: JsonObject;
  readonly tracked: boolean;
}

async function put(options: RegisterOptions, registration: Registration): Promise<void> {
  const { store, clock } = options;
  const current = await store.get(registration.id);
  const properties = { ...registration.properties, provisioningState: "Succeeded" };
  if (current !== undefined && sameJson(current.body["properties"], properties)) {
    return;
  }
  const at = clock.now().toISOString();
  const system: SystemData = {
    createdBy: systemCaller,
    createdByType: "Application",
    createdAt: at,
    lastModifiedBy: systemCaller,
    lastModifiedByType: "Application",
    lastModifiedAt: at,
  };
  const previous = current?.body["systemData"] as SystemData | undefined;
  const identity = { id: registration.id, name: registration.id.split("/").at(-1) ?? "", type: registration.type };
  const body: JsonObject = registration.tracked
    ? {
        ...identity,
        location: options.location,
        tags: {},
        properties,
        systemData: { ...mergeSystemData(previous, system) },
      }
    : { ...identity, properties };
  const input: DocumentInput = {
    id: registration.id,
    type: registration.type,
    apiVersion: systemApiVersion,
    body,
    secrets: {},
  };
  const expect = current === undefined ? "absent" : { etag: current.etag };
  const { id: target, type } = registration;
  const audit = systemRecords({ type, target, apiVersion: systemApiVersion, clock });
  await store.write({ document: { kind: "put", input, expect }, audit }).catch(ignoreLostRace);
}

/** Another process registered the same thing at the same moment. */
function ignoreLostRace(error: unknown): void {
  if (!(error instanceof StoreError && error.code === "EtagMismatch")) {
    throw error;
  }
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, item]) => [key, sorted(item)]),
    );
  }
  return value;
}
