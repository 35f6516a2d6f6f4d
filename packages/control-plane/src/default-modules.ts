import type { Module, ModuleFactory } from "@rad/modules";
import { builtInTypes, namespacePolicies } from "@rad/radius-types";
import { builtInDigest } from "./registry/registration-marker.ts";

/** The planes that every installation has. */
const planes: ModuleFactory = {
  name: "planes",
  create: (): Module => ({
    planes: [
      { id: "/planes/radius/local", properties: { resourceProviders: {} } },
      { id: "/planes/aws/aws", properties: {} },
    ],
  }),
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
