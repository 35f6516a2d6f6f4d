import type { ServedType } from "@rad/resources";
import { planeTypes } from "./planes/plane-types.ts";
import { registryTypes } from "./registry/registry-types.ts";

/** The fixed part of the API, by lower-cased name: planes, groups and the type registry. */
export const systemTypes: ReadonlyMap<string, ServedType> = new Map([...planeTypes(), ...registryTypes()]);
