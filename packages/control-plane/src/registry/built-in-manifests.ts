import { builtInTypes } from "@rad/radius-types";
import type { Manifest, ManifestType } from "@rad/resource-types";

/** Types that every installation knows, registered like anybody else's. */
export function builtInManifests(location: string): readonly Manifest[] {
  const namespaces = new Map<string, ManifestType[]>();
  for (const { name, versions, ...type } of builtInTypes) {
    const [namespace = "", typeName = ""] = name.split("/");
    const apiVersions = Object.entries(versions).map(([version, schema]) => ({ name: version, schema }));
    const types = namespaces.get(namespace) ?? [];
    namespaces.set(namespace, [...types, { ...type, name: typeName, apiVersions }]);
  }
  return [...namespaces].map(([namespace, types]) => ({ namespace, location: { name: location }, types }));
}
