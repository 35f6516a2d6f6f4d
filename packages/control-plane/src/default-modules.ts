import type { ModuleFactory } from "@rad/modules";
import { builtInTypes, namespacePolicies } from "@rad/radius-types";
import { builtInPlanes } from "./planes/built-in-planes.ts";
import { builtInDigest } from "./registry/registration-marker.ts";

const planes: ModuleFactory = {
  name: "planes",
  create: () => ({ planes: builtInPlanes }),
};

/** Every type that an installation has from the start. */
const radiusTypes: ModuleFactory = {
  name: "radius-types",
  create: () => ({ types: builtInTypes, typesDigest: builtInDigest, policies: namespacePolicies }),
};

/** What `rad server` and the image run. */
export function defaultModules(): readonly ModuleFactory[] {
  return [planes, radiusTypes];
}
