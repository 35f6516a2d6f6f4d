import type { JsonObject, ResourceId } from "@rad/core";
import type { TypeModules } from "@rad/resources";
import { builtInManifests, builtInPlane } from "./built-in-manifests.ts";
import { registrationsOf } from "./registrations.ts";

/** The properties of a registration that comes with the program. */
export type BuiltInRegistrations = (id: ResourceId) => JsonObject | undefined;

export function builtInRegistrations(types: TypeModules, location: string): BuiltInRegistrations {
  return (id) => {
    const namespace = id.provider?.types[0]?.name ?? "";
    const registrations = builtInManifests(types, location, namespace).flatMap((manifest) =>
      registrationsOf(manifest, builtInPlane),
    );
    return registrations.find((registration) => registration.id.toLowerCase() === id.key)?.properties;
  };
}
