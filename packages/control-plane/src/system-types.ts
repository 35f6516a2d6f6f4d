import type { ServedType, TypeModules } from "@rad/resources";
import type { PlaneTable } from "./planes/plane-table.ts";
import { planeTypes } from "./planes/plane-types.ts";
import { builtInRegistrations } from "./registry/built-in-registrations.ts";
import { registryTypes } from "./registry/registry-types.ts";

/** The fixed part of the API, by lower-cased name: planes, groups and the type registry. */
export function systemTypes(planes: PlaneTable, types: TypeModules, location: string): ReadonlyMap<string, ServedType> {
  return new Map([...planeTypes(planes), ...registryTypes(builtInRegistrations(types, location))]);
}
