import type { Manifest, ManifestType } from "@rad/resource-types";
import type { TypeModules } from "@rad/resources";

/** Where built-in types are registered. */
export const builtInPlane = "/planes/radius/local";

/**
 * The types of the modules, registered like those of clients.
 * @param only a namespace in any case; the schemas of others are not built then.
 */
export function builtInManifests(types: TypeModules, location: string, only?: string): readonly Manifest[] {
  const namespaces = new Map<string, ManifestType[]>();
  for (const { name, description, defaultApiVersion, capabilities = [], versions } of types) {
    if (versions === undefined) {
      continue; // code behind a type that is registered elsewhere
    }
    const [namespace = "", typeName = ""] = name.split("/");
    if (only !== undefined && namespace.toLowerCase() !== only.toLowerCase()) {
      continue;
    }
    const apiVersions = Object.entries(versions).map(([version, schema]) => ({ name: version, schema }));
    const described = namespaces.get(namespace) ?? [];
    const type = { name: typeName, description, defaultApiVersion, capabilities, apiVersions };
    namespaces.set(namespace, [...described, type]);
  }
  return [...namespaces].map(([namespace, types]) => ({ namespace, location: { name: location }, types }));
}
