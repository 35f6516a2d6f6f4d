import type { ModuleFactory } from "@rad/modules";
import type { ServerConfig } from "./config/index.ts";
import { kubernetesModule } from "./kubernetes/kubernetes-module.ts";
import { builtInPlanes } from "./planes/built-in-planes.ts";
import { recipesModule } from "./recipes/recipes-module.ts";
import { SharedParts } from "./shared-parts.ts";
import { terraformModule } from "./terraform/terraform-module.ts";

declare const RAD_TYPES_DIGEST: string | undefined;

/** Identifies the built-in types of a bundled program; absent when it runs from source, where they change any time. */
const builtInDigest: string | undefined = typeof RAD_TYPES_DIGEST === "undefined" ? undefined : RAD_TYPES_DIGEST;

const planes: ModuleFactory = {
  name: "planes",
  create: async () => {
    const { awsCredentials, azureCredentials } = await import("@rad/radius-types"); // as below
    const types = new Map([
      ["aws", [awsCredentials]],
      ["azure", [azureCredentials]],
    ]);
    return { planes: builtInPlanes.map((plane) => ({ ...plane, types: types.get(plane.name) ?? [] })) };
  },
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
  const shared = new SharedParts();
  return [
    planes,
    radiusTypes,
    terraformModule(config, shared),
    recipesModule(config, shared),
    kubernetesModule(config, shared),
  ];
}
