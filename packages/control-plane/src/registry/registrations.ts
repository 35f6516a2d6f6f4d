import { type JsonObject, type JsonValue, objectMember } from "@rad/core";
import { defaultIconHash, type Manifest } from "@rad/resource-types";
import { apiVersionType, locationType, providerId, providerType, resourceTypeType } from "@rad/resources";
import { iconHash } from "./icon-hash.ts";

/** One document of the registry, as a manifest describes it. */
export interface Registration {
  readonly id: string;
  readonly type: string;
  readonly properties: JsonObject;
  readonly tracked: boolean;
}

/** The provider first, then its types with their api-versions, then the location that lists them. */
export function registrationsOf(manifest: Manifest, planeScope: string): Registration[] {
  const provider = providerId(planeScope, manifest.namespace);
  const registrations: Registration[] = [{ id: provider, type: providerType, properties: {}, tracked: true }];
  const resourceTypes: JsonObject = {};
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
    resourceTypes[type.name] = { apiVersions };
  }
  const { name, address } = manifest.location;
  const properties = { ...(address === undefined ? {} : { address }), resourceTypes };
  return [...registrations, { id: `${provider}/locations/${name}`, type: locationType, properties, tracked: false }];
}

function typeProperties(type: Manifest["types"][number]): JsonObject {
  return {
    capabilities: [...type.capabilities],
    ...(type.defaultApiVersion === undefined ? {} : { defaultApiVersion: type.defaultApiVersion }),
    ...(type.description === undefined ? {} : { description: type.description }),
    ...(type.icon === undefined ? { iconHash: defaultIconHash } : { icon: type.icon, iconHash: iconHash(type.icon) }),
  };
}

/**
 * A location that lists what is listed already besides what the manifest does: clients add types of their own to a
 * namespace.
 * @param address the one that counts.
 */
export function mergedLocation(
  location: Registration,
  stored: JsonObject,
  address: JsonValue | undefined,
): Registration {
  const resourceTypes = { ...objectMember(stored, "resourceTypes") };
  const added = objectMember(location.properties, "resourceTypes");
  for (const name of Object.keys(added)) {
    const known = Object.keys(resourceTypes).find((other) => other.toLowerCase() === name.toLowerCase()) ?? name;
    const apiVersions = {
      ...objectMember(objectMember(resourceTypes, known), "apiVersions"),
      ...objectMember(objectMember(added, name), "apiVersions"),
    };
    resourceTypes[known] = { apiVersions };
  }
  return { ...location, properties: { ...(address === undefined ? {} : { address }), resourceTypes } };
}
