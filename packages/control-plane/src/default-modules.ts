import type { ModuleFactory } from "@rad/modules";
import type { ServerConfig } from "./config/index.ts";
import { kubernetesModule } from "./kubernetes/kubernetes-module.ts";
import { builtInPlanes } from "./planes/built-in-planes.ts";

declare const RAD_TYPES_DIGEST: string | undefined;

/** Identifies the built-in types of a bundled program; absent when it runs from source, where they change any time. */
const builtInDigest: string | undefined = typeof RAD_TYPES_DIGEST === "undefined" ? undefined : RAD_TYPES_DIGEST;

const planes: ModuleFactory = {
  name: "planes",
  create: () => ({ planes: builtInPlanes }),
};

/** Every type that an installation has from the start. */
const radiusTypes: ModuleFactory = {
  name: "radius-types",
  create: async () => {
    const { builtInTypes, namespacePolicies } = await import("@rad/radius-types"); // a server listens before it loads them
    return { types: builtInTypes, typesDigest: builtInDigest, policies: namespacePolicies };
  },
};

/** What `rad server` and the image run. */
export function defaultModules(config: ServerConfig): readonly ModuleFactory[] {
  return [planes, radiusTypes, kubernetesModule(config)];
}
