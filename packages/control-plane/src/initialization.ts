import { type Clock, isJsonObject, type JsonObject, type Logger, ResourceId } from "@rad/core";
import type { PlaneSpec } from "@rad/modules";
import type { Manifest } from "@rad/resource-types";
import { type Store, StoreError } from "@rad/store";
import { hash } from "node:crypto";
import type { ServerConfig } from "./config/index.ts";
import { builtInManifests } from "./registry/built-in-manifests.ts";
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
  readonly planes: readonly PlaneSpec[];
  readonly types: TypeModules;
  /** Tells `types` of one program from those of another; without it every start compares them all. */
  readonly typesDigest?: string | undefined;
}

/** Creates what every installation starts with. Safe to run at every start and in several processes at once. */
export async function initialize(options: InitializeOptions): Promise<void> {
  const { config, store, log } = options;
  const isNew = (await store.get("/planes/radius/local")) === undefined;
  const planes = new Map([...options.planes, ...config.initialization.planes].map((plane) => [plane.id, plane]));
  for (const plane of planes.values()) {
    await createPlane(options, plane.id, plane.properties);
  }
  const folder = config.initialization.manifestDirectory;
  const given = folder === undefined ? [] : await readManifestFolder(folder);
  await registerTypes(options, given, isNew);
  if (folder !== undefined) {
    log.info("manifests registered", { folder, namespaces: given.map((manifest) => manifest.namespace) });
  }
}

async function registerTypes(options: InitializeOptions, given: readonly Manifest[], isNew: boolean): Promise<void> {
  const { config, store, clock, log, typesDigest } = options;
  const location = config.environment.roleLocation;
  const digest = typesDigest && hash("sha256", JSON.stringify([typesDigest, location, given]), "hex");
  if (digest !== undefined && (await isRegistered(store, digest))) {
    return;
  }
  const manifests = layerManifests(builtInManifests(options.types, location), given);
  for (const manifest of manifests) {
    await registerManifest(manifest, { store, clock, planeScope: "/planes/radius/local", location });
  }
  await sealStoredSecrets({ store, clock, log, types: options.types, manifests, isNew });
  if (digest !== undefined) {
    await rememberRegistered(store, digest, manifests);
  }
}

async function createPlane(options: InitializeOptions, id: string, properties: unknown): Promise<void> {
  const { store, config, clock } = options;
  if ((await store.get(id)) !== undefined) {
    return;
  }
  const { name, type, scopes } = ResourceId.parse(id);
  const given = isJsonObject(properties) ? properties : {};
  const body: JsonObject = {
    id,
    name,
    type,
    location: config.environment.roleLocation,
    tags: {},
    properties: { ...planeProperties(scopes[0]?.type ?? "", given), provisioningState: "Succeeded" },
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

function planeProperties(planeType: string, given: JsonObject): JsonObject {
  const { resourceProviders = {}, url } = given;
  switch (planeType) {
    case "radius":
      return { resourceProviders };
    case "azure":
      return url === undefined ? {} : { url };
    default:
      return {};
  }
}
