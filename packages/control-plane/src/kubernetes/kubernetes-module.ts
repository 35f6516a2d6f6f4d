import { join } from "node:path";
import type { CallOptions } from "@rad/kubernetes";
import type { ModuleFactory } from "@rad/modules";
import type { ServerConfig } from "../config/index.ts";
import { dataDirectory } from "../open-store.ts";
import type { SharedParts } from "../shared-parts.ts";

/** Deploys to Kubernetes: the code behind rendered types, and the target of `extension kubernetes`. */
export function kubernetesModule(config: ServerConfig, shared: SharedParts): ModuleFactory {
  return {
    name: "kubernetes",
    create: async (parts) => {
      // A server listens before it loads them. What speaks to a cluster is loaded when the first object is applied.
      const [
        { kubernetesHandlers, registeredTypeHandler },
        { recordAfterwards },
        { KubernetesTarget },
        { ObjectTargets },
        { publicEndpointOf },
      ] = await Promise.all([
        import("@rad/radius-types"),
        import("@rad/deployments"),
        import("./kubernetes-target.ts"),
        import("./object-targets.ts"),
        import("./public-endpoint.ts"),
      ]);
      const { clock } = parts;
      const { publicEndpoint, ...place } = config.kubernetes;
      const targets = new ObjectTargets({
        ...place,
        manifests: place.manifests ?? join(dataDirectory(config), "manifests"),
      });
      const target = () => targets.ofServer();
      shared.target.set(target);
      const deps = {
        target,
        publicEndpoint: (options: CallOptions) => publicEndpointOf(publicEndpoint, target, options),
        clock,
        ...(shared.recipes.isSet ? { recipes: shared.recipes.get() } : {}),
      };
      return {
        types: kubernetesHandlers(deps),
        registeredTypes: registeredTypeHandler(deps),
        targets: { kubernetes: recordAfterwards(new KubernetesTarget(targets), parts) },
        [Symbol.asyncDispose]: () => targets[Symbol.asyncDispose](),
      };
    },
  };
}
