import type { KubernetesObject } from "@rad/kubernetes";
import { descriptiveLabels } from "./labels.ts";
import type { Labels } from "./labels.ts";
import { inheritedMetadata, mergedMetadata } from "./metadata.ts";
import type { RenderContext, RenderedResource } from "./renderer.ts";

/** The labels on objects of `Radius.*` types. */
export function radiusLabels({ id }: Pick<RenderedResource, "id">, context: RenderContext): Labels {
  return {
    ...descriptiveLabels(id, context.application?.id.name),
    "radapp.io/environment": context.environment.id.name.toLowerCase(),
  };
}

/** The metadata of such an object. */
export function radiusMetadata(
  resource: Pick<RenderedResource, "id">,
  context: RenderContext,
  name: string,
): KubernetesObject["metadata"] {
  return {
    name,
    namespace: context.namespace,
    ...mergedMetadata({ labels: radiusLabels(resource, context) }, inheritedMetadata(context)),
  };
}
