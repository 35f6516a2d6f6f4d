import { type JsonObject, objectMember } from "@rad/core";
import type { Manifest } from "@rad/resource-types";
import type { Store } from "@rad/store";
import { hash } from "node:crypto";
import { providerId, systemApiVersion } from "@rad/resources";

/** Outside of every plane: what the latest start registered, and what the registrations looked like then. */
const markerId = "/system/registeredTypes";
const markerType = "System.Radius/registeredTypes";
const planeScope = "/planes/radius/local";

/** Whether an earlier start registered the same, and nobody has changed it since. Builds and parses no schema. */
export async function isRegistered(store: Store, digest: string): Promise<boolean> {
  const marker = await store.get(markerId);
  const { digest: stored, namespaces, etags } = marker === undefined ? {} : objectMember(marker.body, "properties");
  if (stored !== digest || !Array.isArray(namespaces)) {
    return false;
  }
  return etags === (await etagsOf(store, namespaces.map(String)));
}

/** Call it last: everything that a start does with the manifests has to be done. */
export async function rememberRegistered(store: Store, digest: string, manifests: readonly Manifest[]): Promise<void> {
  const namespaces = manifests.map(({ namespace }) => namespace);
  const properties: JsonObject = { digest, namespaces, etags: await etagsOf(store, namespaces) };
  const body: JsonObject = { id: markerId, name: "registeredTypes", type: markerType, properties };
  const input = { id: markerId, type: markerType, apiVersion: systemApiVersion, body, secrets: {} };
  await store.write({ document: { kind: "put", input, expect: "any" } });
}

async function etagsOf(store: Store, namespaces: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const namespace of namespaces) {
    const provider = providerId(planeScope, namespace);
    const [document, below] = await Promise.all([
      store.get(provider),
      store.list({ under: provider, withoutBodies: true }),
    ]);
    lines.push(provider, document?.etag ?? "", ...below.items.map(({ id, etag }) => `${id} ${etag}`));
  }
  return hash("sha256", lines.join("\n"), "hex");
}
