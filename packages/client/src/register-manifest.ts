import type { JsonObject } from "@rad/core";
import { objectMember } from "@rad/core/json";
import type { Client } from "./client.ts";
import { ClientError } from "./client-error.ts";

/** The part of a resource provider manifest that is sent to the control plane; what `parseManifest` returns fits. */
export interface ManifestToRegister {
  readonly namespace: string;
  readonly location: { readonly name: string; readonly address?: string };
  readonly types: readonly TypeToRegister[];
}

export interface TypeToRegister {
  readonly name: string;
  readonly description?: string;
  readonly capabilities: readonly string[];
  readonly defaultApiVersion?: string;
  /** SVG text. */
  readonly icon?: string;
  readonly apiVersions: readonly { readonly name: string; readonly schema: JsonObject }[];
}

export type RegistrationStep =
  | { readonly kind: "provider"; readonly namespace: string }
  | { readonly kind: "type"; readonly namespace: string; readonly type: string };

export interface RegisterOptions {
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

  await ensureProvider(client, namespace, options);
  options.onProgress?.({ kind: "provider", namespace });
  for (const type of manifest.types) {
    await whenFree(client, options, () => client.providers.putType(namespace, type.name, typeProperties(type)));
    for (const { name, schema } of type.apiVersions) {
      await whenFree(client, options, () => client.providers.putApiVersion(namespace, type.name, name, { schema }));
    }
    await whenFree(client, options, () => addToLocation(client, manifest, type));
    options.onProgress?.({ kind: "type", namespace, type: type.name });
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

function typeProperties(type: TypeToRegister): JsonObject {
  return {
    capabilities: [...type.capabilities],
    ...(type.defaultApiVersion === undefined ? {} : { defaultApiVersion: type.defaultApiVersion }),
    ...(type.description === undefined ? {} : { description: type.description }),
    ...(type.icon === undefined ? {} : { icon: type.icon }),
  };
}

/** Other types of the namespace may be registered at the same moment: the conditions keep one from undoing the other. */
async function addToLocation(client: Client, manifest: ManifestToRegister, type: TypeToRegister): Promise<void> {
  const { namespace, location } = manifest;
  const current = await client.providers.findLocation(namespace, location.name);
  const properties = current === undefined ? {} : objectMember(current.resource, "properties");
  const { provisioningState: _, ...kept } = properties;
  const apiVersions: JsonObject = Object.fromEntries(type.apiVersions.map((version) => [version.name, {}]));
  const next: JsonObject = {
    ...kept,
    ...(location.address === undefined || location.address === "" ? {} : { address: location.address }),
    resourceTypes: { ...objectMember(properties, "resourceTypes"), [type.name]: { apiVersions } },
  };
  await client.providers.putLocation(namespace, location.name, next, current ?? "nothing");
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
