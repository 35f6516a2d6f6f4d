import { type Clock, type JsonObject, objectMember } from "@rad/core";
import { defaultIconHash, type Manifest } from "@rad/resource-types";
import { type DocumentPut, type Store, type StoredDocument, StoreError } from "@rad/store";
import { isDeepStrictEqual } from "node:util";
import {
  apiVersionType,
  locationType,
  mergeSystemData,
  providerId,
  providerType,
  resourceTypeType,
  systemApiVersion,
  systemCaller,
  type SystemData,
  systemRecords,
} from "@rad/resources";
import { iconHash } from "./icon-hash.ts";

export interface RegisterOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly planeScope: string;
  readonly location: string;
}

const maxTries = 5;

/**
 * Registers a manifest straight in the store, as the server does with its own at start. Documents that say the same
 * already are left alone, so that a restart changes nothing and two processes may start at once; what has to change
 * does so in one transaction.
 */
export async function registerManifest(manifest: Manifest, options: RegisterOptions): Promise<void> {
  for (let tries = 1; !(await tryRegister(manifest, options)); tries += 1) {
    if (tries === maxTries) {
      throw new StoreError("EtagMismatch", `The registration of '${manifest.namespace}' keeps changing.`);
    }
  }
}

/** @returns `false` when somebody else registered something at the same moment. */
async function tryRegister(manifest: Manifest, options: RegisterOptions): Promise<boolean> {
  const { store, clock, planeScope } = options;
  const known = await readRegistrations(store, providerId(planeScope, manifest.namespace));
  const changes = registrationsOf(manifest, planeScope, known).flatMap((registration) => {
    const current = known.get(registration.id.toLowerCase());
    return isUpToDate(registration, current) ? [] : [{ registration, current }];
  });
  const [document, ...also] = changes.map(({ registration, current }) => changeOf(registration, current, options));
  if (document === undefined) {
    return true;
  }
  const audit = changes.flatMap(({ registration: { id: target, type } }) =>
    systemRecords({ type, target, apiVersion: systemApiVersion, clock }),
  );
  try {
    await store.write({ document, also, audit });
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === "EtagMismatch") {
      return false;
    }
    throw error;
  }
}

type Known = ReadonlyMap<string, StoredDocument>;

/** The provider and everything below it, by lower-cased id. */
async function readRegistrations(store: Store, provider: string): Promise<Known> {
  const [document, below] = await Promise.all([store.get(provider), store.list({ under: provider })]);
  const documents = document === undefined ? below.items : [document, ...below.items];
  return new Map(documents.map((item) => [item.id.toLowerCase(), item]));
}

interface Registration {
  readonly id: string;
  readonly type: string;
  readonly properties: JsonObject;
  readonly tracked: boolean;
}

function registrationsOf(manifest: Manifest, planeScope: string, known: Known): Registration[] {
  const provider = providerId(planeScope, manifest.namespace);
  const registrations: Registration[] = [{ id: provider, type: providerType, properties: {}, tracked: true }];
  const listed: JsonObject = {};
  for (const type of manifest.types) {
    const id = `${provider}/resourceTypes/${type.name}`;
    registrations.push({ id, type: resourceTypeType, properties: typeProperties(type), tracked: false });
    const apiVersions: JsonObject = {};
    for (const version of type.apiVersions) {
      const properties: JsonObject = Object.keys(version.schema).length === 0 ? {} : { schema: version.schema };
      const versionId = `${id}/apiVersions/${version.name}`;
      registrations.push({ id: versionId, type: apiVersionType, properties, tracked: false });
      apiVersions[version.name] = {};
    }
    listed[type.name] = { apiVersions };
  }
  const { name, address } = manifest.location;
  const id = `${provider}/locations/${name}`;
  const before = objectMember(objectMember(known.get(id.toLowerCase())?.body ?? {}, "properties"), "resourceTypes");
  // Somebody may have added types of their own to the namespace since.
  const resourceTypes = { ...before, ...listed };
  const properties = { ...(address === undefined ? {} : { address }), resourceTypes };
  return [...registrations, { id, type: locationType, properties, tracked: false }];
}

function typeProperties(type: Manifest["types"][number]): JsonObject {
  return {
    capabilities: [...type.capabilities],
    ...(type.defaultApiVersion === undefined ? {} : { defaultApiVersion: type.defaultApiVersion }),
    ...(type.description === undefined ? {} : { description: type.description }),
    ...(type.icon === undefined ? { iconHash: defaultIconHash } : { icon: type.icon, iconHash: iconHash(type.icon) }),
  };
}

/** Comparing texts first leaves the large schemas unparsed at every start but the first. */
function isUpToDate(registration: Registration, current: StoredDocument | undefined): boolean {
  if (current === undefined) {
    return false;
  }
  const isSameText = !registration.tracked && current.json === JSON.stringify(untrackedBody(registration));
  return isSameText || isDeepStrictEqual(current.body["properties"], storedProperties(registration));
}

function untrackedBody(registration: Registration): JsonObject {
  return { ...identityOf(registration), properties: storedProperties(registration) };
}

function identityOf({ id, type }: Registration): JsonObject {
  return { id, name: id.split("/").at(-1) ?? "", type };
}

function storedProperties({ properties }: Registration): JsonObject {
  return { ...properties, provisioningState: "Succeeded" };
}

function changeOf(
  registration: Registration,
  current: StoredDocument | undefined,
  options: RegisterOptions,
): DocumentPut {
  const { id, type } = registration;
  const body: JsonObject = registration.tracked
    ? {
        ...identityOf(registration),
        location: options.location,
        tags: {},
        properties: storedProperties(registration),
        systemData: systemDataOf(current, options),
      }
    : untrackedBody(registration);
  const input = { id, type, apiVersion: systemApiVersion, body, secrets: {} };
  return { kind: "put", input, expect: current === undefined ? "absent" : { etag: current.etag } };
}

function systemDataOf(current: StoredDocument | undefined, { clock }: RegisterOptions): JsonObject {
  const at = clock.now().toISOString();
  const system: SystemData = {
    createdBy: systemCaller,
    createdByType: "Application",
    createdAt: at,
    lastModifiedBy: systemCaller,
    lastModifiedByType: "Application",
    lastModifiedAt: at,
  };
  return { ...mergeSystemData(current?.body["systemData"] as SystemData | undefined, system) };
}
