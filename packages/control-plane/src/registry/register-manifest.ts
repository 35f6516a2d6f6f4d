import { type Clock, type JsonObject, objectMember } from "@rad/core";
import type { Manifest } from "@rad/resource-types";
import { type DocumentPut, type Store, type StoredDocument, StoreError } from "@rad/store";
import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  locationType,
  mergeSystemData,
  providerId,
  seededProviderId,
  seededProviderType,
  systemApiVersion,
  systemCaller,
  type SystemData,
  systemRecords,
} from "@rad/resources";
import { mergedLocation, type Registration, registrationsOf } from "./registrations.ts";

export interface RegisterOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly planeScope: string;
  readonly location: string;
  /** The manifest's namespace as the program itself describes it; its schemas are the ones that are served. */
  readonly builtIn?: Manifest | undefined;
}

const maxTries = 5;

/**
 * Registers a manifest straight in the store, as the server does with its own at start. Documents that say the same
 * already are left alone, so that a restart changes nothing and two processes may start at once; what has to change
 * does so in one transaction. So are types and api-versions that a client has registered again: what an earlier start
 * registered is remembered, which tells them apart.
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
  const seeded = await store.get(seededProviderId(planeScope, manifest.namespace));
  const registrations = registrationsOf(manifest, planeScope);
  const changes = registrations.flatMap((described) => {
    const current = known.get(described.id.toLowerCase());
    const registration = described.type === locationType ? ownLocation(described, current, seeded) : described;
    const isKept = isUpToDate(registration, current) || isClients(registration, current, seeded);
    return isKept ? [] : [{ registration, current }];
  });
  const seed = seedOf(manifest, registrations, options);
  const also = isUpToDate(seed, seeded) ? [] : [changeOf(seed, seeded, options)];
  const [document, ...others] = changes.map(({ registration, current }) => changeOf(registration, current, options));
  if (document === undefined && also.length === 0) {
    return true;
  }
  const audit = changes.flatMap(({ registration: { id: target, type } }) =>
    systemRecords({ type, target, apiVersion: systemApiVersion, clock }),
  );
  try {
    await store.write({ ...(document === undefined ? {} : { document }), also: [...others, ...also], audit });
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

/** What this start registers, and the schemas that built-in types are served with. */
function seedOf(
  { namespace }: Manifest,
  registrations: readonly Registration[],
  { builtIn, planeScope }: RegisterOptions,
): Registration {
  const schemas: JsonObject = {};
  for (const type of builtIn?.types ?? []) {
    schemas[type.name] = Object.fromEntries(type.apiVersions.map(({ name, schema }) => [name, schema]));
  }
  const digests = Object.fromEntries(registrations.map(({ id, properties }) => [id, digestOf(properties)]));
  const address = registrations.find(({ type }) => type === locationType)?.properties["address"];
  return {
    id: seededProviderId(planeScope, namespace),
    type: seededProviderType,
    properties: { schemas, digests, ...(address === undefined ? {} : { address }) },
    tracked: false,
  };
}

/** Whether a client has registered this again, or is about to. A database from before seeds has nothing to tell by. */
function isClients(
  { id, type }: Registration,
  current: StoredDocument | undefined,
  seeded: StoredDocument | undefined,
): boolean {
  if (current === undefined || seeded === undefined || type === locationType) {
    return false;
  }
  const { provisioningState: _state, ...properties } = objectMember(current.body, "properties");
  const earlier = objectMember(objectMember(seeded.body, "properties"), "digests")[id];
  return current.operationId !== undefined || (earlier !== undefined && earlier !== digestOf(properties));
}

/** One list has the types of the program and of clients. An address that no earlier start set is a client's. */
function ownLocation(
  location: Registration,
  current: StoredDocument | undefined,
  seeded: StoredDocument | undefined,
): Registration {
  const stored = objectMember(current?.body ?? {}, "properties");
  const earlier = objectMember(seeded?.body ?? {}, "properties")["address"];
  const isClientsAddress = current !== undefined && seeded !== undefined && stored["address"] !== earlier;
  return mergedLocation(location, stored, (isClientsAddress ? stored : location.properties)["address"]);
}

function digestOf(properties: JsonObject): string {
  return hash("sha256", JSON.stringify(properties), "hex");
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
