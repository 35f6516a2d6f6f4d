import { join } from "node:path";
import type { ModuleFactory } from "@rad/modules";
import type { ServerConfig } from "../config/index.ts";
import { dataDirectory } from "../open-store.ts";

/** Deploys to Kubernetes: the code behind rendered types, and the target of `extension kubernetes`. */
export function kubernetesModule(config: ServerConfig): ModuleFactory {
  return {
    name: "kubernetes",
    create: async (parts) => {
      // A server listens before it loads them. What speaks to a cluster is loaded when the first object is applied.
      const [
        { kubernetesHandlers },
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
      return {
        types: kubernetesHandlers({
          target,
          publicEndpoint: (options) => publicEndpointOf(publicEndpoint, target, options),
          clock,
        }),
        targets: { kubernetes: recordAfterwards(new KubernetesTarget(targets), parts) },
        [Symbol.asyncDispose]: () => targets[Symbol.asyncDispose](),
      };
    },
  };
}
