import type { Manifest, ManifestType } from "@rad/resource-types";

/**
 * `upper` on top of `lower`, one manifest per namespace: where both describe a type or an api-version, `upper` counts.
 * Registering one after the other would have the same end, but change documents back and forth at every start.
 */
export function layerManifests(lower: readonly Manifest[], upper: readonly Manifest[]): readonly Manifest[] {
  const manifests = new Map<string, Manifest>();
  for (const manifest of [...lower, ...upper]) {
    const key = manifest.namespace.toLowerCase();
    const below = manifests.get(key);
    manifests.set(
      key,
      below === undefined ? manifest : { ...manifest, types: layered(below.types, manifest.types, layerTypes) },
    );
  }
  return [...manifests.values()];
}

function layerTypes(lower: ManifestType, upper: ManifestType): ManifestType {
  return { ...lower, ...upper, apiVersions: layered(lower.apiVersions, upper.apiVersions, (_, version) => version) };
}

function layered<T extends { readonly name: string }>(
  lower: readonly T[],
  upper: readonly T[],
  merge: (lower: T, upper: T) => T,
): T[] {
  const items = new Map(lower.map((item) => [item.name.toLowerCase(), item]));
  for (const item of upper) {
    const key = item.name.toLowerCase();
    const below = items.get(key);
    items.set(key, below === undefined ? item : merge(below, item));
  }
  return [...items.values()];
}
