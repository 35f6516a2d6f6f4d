import type { TypeModule } from "@rad/resources";
import type { RenderingDeps } from "./rendering/rendering-deps.ts";

/** Code that deploys built-in types to Kubernetes, to be laid over their schemas. */
export function kubernetesHandlers(_deps: RenderingDeps): readonly TypeModule[] {
  return [];
}
