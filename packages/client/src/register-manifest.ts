import type { JsonObject } from "@rad/core";
import { objectMember } from "@rad/core";
import type { Client } from "./client.ts";
import { ClientError } from "./client-error.ts";

/** The part of a resource provider manifest that is sent to the control plane. */
export interface ManifestToRegister {
  readonly namespace: string;
  readonly location?: { readonly name: string; readonly address?: string | undefined } | undefined;
  readonly types: Readonly<Record<string, ManifestType>>;
}

export interface ManifestType {
  readonly description?: string | undefined;
  readonly capabilities?: readonly string[] | undefined;
  readonly defaultApiVersion?: string | undefined;
  readonly icon?: string | undefined;
  readonly apiVersions: Readonly<Record<string, { readonly schema: JsonObject }>>;
}

export type RegistrationStep =
  | { readonly kind: "provider"; readonly namespace: string }
  | { readonly kind: "type"; readonly namespace: string; readonly type: string };

export interface RegisterOptions {
  /** Only these types of the manifest; all of them when absent. */
  readonly types?: readonly string[] | undefined;
  /** Called when a provider exists, and when a type with all its versions can be used. */
  readonly onProgress?: (step: RegistrationStep) => void;
  readonly signal?: AbortSignal | undefined;
}

const maxConflicts = 10;
const firstConflictDelayMs = 250;

/**
 * Registers a manifest's types beside those that its namespace has already. A type becomes usable when the location
 * lists it, so that is written last, and an interrupted registration can simply be repeated.
 */
export async function registerManifest(
  client: Client,
  manifest: ManifestToRegister,
  options: RegisterOptions = {},
): Promise<void> {
  const { namespace } = manifest;
  const wanted = Object.entries(manifest.types).filter(([name]) => options.types?.includes(name) ?? true);

  await ensureProvider(client, namespace, options);
  options.onProgress?.({ kind: "provider", namespace });
  for (const [name, type] of wanted) {
    await whenFree(client, options, () => client.providers.putType(namespace, name, typeProperties(type)));
    for (const [version, { schema }] of Object.entries(type.apiVersions)) {
      await whenFree(client, options, () => client.providers.putApiVersion(namespace, name, version, { schema }));
    }
    await whenFree(client, options, () => addToLocation(client, manifest, name, type));
    options.onProgress?.({ kind: "type", namespace, type: name });
  }
}

async function ensureProvider(client: Client, namespace: string, options: RegisterOptions): Promise<void> {
  try {
    await client.providers.get(namespace);
  } catch (error) {
    if (!(error instanceof ClientError && error.isNotFound)) {
      throw error;
    }
    await whenFree(client, options, () => client.providers.put(namespace, { location: "global", properties: {} }));
  }
}

function typeProperties(type: ManifestType): JsonObject {
  return {
    capabilities: [...(type.capabilities ?? [])],
    ...(type.defaultApiVersion === undefined ? {} : { defaultApiVersion: type.defaultApiVersion }),
    ...(type.description === undefined ? {} : { description: type.description }),
    ...(type.icon === undefined ? {} : { icon: type.icon }),
  };
}

/** Other types of the namespace may be registered at the same moment: the etag keeps one from undoing the other. */
async function addToLocation(
  client: Client,
  manifest: ManifestToRegister,
  name: string,
  type: ManifestType,
): Promise<void> {
  const location = manifest.location?.name ?? "global";
  const current = await client.providers.findLocation(manifest.namespace, location);
  const properties = current === undefined ? {} : objectMember(current.resource, "properties");
  const { provisioningState: _, ...kept } = properties;
  const address = manifest.location?.address;
  const apiVersions: JsonObject = Object.fromEntries(Object.keys(type.apiVersions).map((version) => [version, {}]));
  const next: JsonObject = {
    ...kept,
    ...(address === undefined || address === "" ? {} : { address }),
    resourceTypes: { ...objectMember(properties, "resourceTypes"), [name]: { apiVersions } },
  };
  await client.providers.putLocation(manifest.namespace, location, next, current?.etag);
}

/** Repeats `write` while something else is being written there: 409, or 412 when an etag has moved on. */
async function whenFree(client: Client, options: RegisterOptions, write: () => Promise<unknown>): Promise<void> {
  for (let conflicts = 0; ; conflicts += 1) {
    options.signal?.throwIfAborted();
    try {
      await write();
      return;
    } catch (error) {
      const isBusy = error instanceof ClientError && (error.status === 409 || error.status === 412);
      if (!isBusy || conflicts >= maxConflicts) {
        throw error;
      }
    }
    await client.sleep(firstConflictDelayMs * 2 ** conflicts, options.signal);
  }
}
