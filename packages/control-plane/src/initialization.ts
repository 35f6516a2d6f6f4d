import { type Clock, isJsonObject, type JsonObject, type Logger, ResourceId } from "@rad/core";
import type { Manifest } from "@rad/resource-types";
import { type Store, StoreError } from "@rad/store";
import { hash } from "node:crypto";
import { ConfigError, type ServerConfig } from "./config/index.ts";
import { knownProperties, type PlaneTable } from "./planes/plane-table.ts";
import { builtInManifests, builtInPlane } from "./registry/built-in-manifests.ts";
import { layerManifests } from "./registry/layer-manifests.ts";
import { readManifestFolder } from "./registry/read-manifest-folder.ts";
import { sealStoredSecrets } from "./registry/seal-stored-secrets.ts";
import { isRegistered, rememberRegistered } from "./registry/registration-marker.ts";
import { registerManifest } from "./registry/register-manifest.ts";
import { systemApiVersion, systemRecords, type TypeModules } from "@rad/resources";

export interface InitializeOptions {
  readonly store: Store;
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly log: Logger;
  readonly planes: PlaneTable;
  readonly types: TypeModules;
  /** Tells `types` of one program from those of another; without it every start compares them all. */
  readonly typesDigest?: string | undefined;
  /** Called when documents of an earlier version have to be changed, which may take long. */
  readonly onUpgrade?: (() => void) | undefined;
}

/** Creates what every installation starts with. Safe to run at every start and in several processes at once. */
export async function initialize(options: InitializeOptions): Promise<void> {
  const { config, store, log } = options;
  const isNew = (await store.get("/planes/radius/local")) === undefined;
  for (const [id, properties] of startingPlanes(options)) {
    await createPlane(options, id, properties);
  }
  const folder = config.initialization.manifestDirectory;
  const given = folder === undefined ? [] : await readManifestFolder(folder);
  await registerTypes(options, given, isNew);
  if (folder !== undefined) {
    log.info("manifests registered", { folder, namespaces: given.map((manifest) => manifest.namespace) });
  }
}

async function registerTypes(options: InitializeOptions, given: readonly Manifest[], isNew: boolean): Promise<void> {
  const { config, store, clock, log, typesDigest, onUpgrade } = options;
  const location = config.environment.roleLocation;
  const digest = typesDigest && hash("sha256", JSON.stringify([typesDigest, location, given]), "hex");
  if (digest !== undefined && (await isRegistered(store, digest))) {
    return;
  }
  const own = builtInManifests(options.types, location);
  const manifests = layerManifests(own, given);
  for (const manifest of manifests) {
    const builtIn = own.find(({ namespace }) => namespace.toLowerCase() === manifest.namespace.toLowerCase());
    await registerManifest(manifest, { store, clock, planeScope: builtInPlane, location, builtIn });
  }
  await sealStoredSecrets({ store, clock, log, manifests: own, isNew, onUpgrade });
  if (digest !== undefined) {
    await rememberRegistered(store, digest, manifests);
  }
}

/**
 * What the modules start with, and what the configuration adds or says otherwise.
 * @throws ConfigError for a plane of a type that is not known.
 */
function startingPlanes({ planes, config }: InitializeOptions): ReadonlyMap<string, JsonObject> {
  const starting = new Map<string, JsonObject>();
  for (const { name, defaults, initial = {} } of planes) {
    for (const [plane, properties] of Object.entries(initial)) {
      starting.set(`/planes/${name}/${plane}`, { ...defaults, ...properties });
    }
  }
  for (const [index, { id, properties }] of config.initialization.planes.entries()) {
    const plane = planes.get(ResourceId.parse(id).scopes[0]?.type ?? "");
    if (plane === undefined) {
      throw new ConfigError([`initialization.planes[${index}].id: must be a plane of type ${planes.anyName}`]);
    }
    const given = isJsonObject(properties) ? knownProperties(plane, properties) : {};
    starting.set(id, { ...plane.defaults, ...given });
  }
  return starting;
}

async function createPlane(options: InitializeOptions, id: string, properties: JsonObject): Promise<void> {
  const { store, config, clock } = options;
  if ((await store.get(id)) !== undefined) {
    return;
  }
  const { name, type: spelled, scopes } = ResourceId.parse(id);
  const type = options.planes.get(scopes[0]?.type ?? "")?.type ?? spelled;
  const body: JsonObject = {
    id,
    name,
    type,
    location: config.environment.roleLocation,
    tags: {},
    properties: { ...properties, provisioningState: "Succeeded" },
  };
  const input = { id, type, apiVersion: systemApiVersion, body, secrets: {} };
  const audit = systemRecords({ type, target: id, apiVersion: systemApiVersion, clock });
  try {
    await store.write({ document: { kind: "put", input, expect: "absent" }, audit });
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "EtagMismatch")) {
      throw error; // a lost race means that another process created it
    }
  }
}
