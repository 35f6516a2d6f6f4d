import { ApiError, objectMember } from "@rad/core";
import type { HandlerContext, ResourceAccess } from "@rad/resources";
import { checkDependencySizes, checkSize } from "./check-size.ts";
import { loadContext } from "./load-context.ts";
import { orderParts } from "./order-parts.ts";
import { wantedOutputs } from "./output-resources.ts";
import type { OutputResource } from "./output-resources.ts";
import type { KubernetesPart, Part, Renderer, Rendering } from "./renderer.ts";
import type { RenderingDeps } from "./rendering-deps.ts";
import { wholeProperties } from "../sealed/whole-properties.ts";

/** A resource with the means to read what it depends on: of an attempt, or of a preview. */
type RenderSource = Pick<HandlerContext, "id" | "properties" | "secrets" | "requester" | "signal"> & {
  readonly resources: ResourceAccess;
};

export interface Rendered {
  readonly rendering: Rendering;
  /** In the order in which they are created. */
  readonly parts: readonly KubernetesPart[];
  readonly outputs: readonly OutputResource[];
  /** The environment only records what would be deployed. */
  readonly isSimulated: boolean;
}

/** Loads what the renderer has to know, and renders. @throws ApiError for what cannot be rendered or deployed. */
export async function renderResource(renderer: Renderer, deps: RenderingDeps, source: RenderSource): Promise<Rendered> {
  const { id, properties, resources, requester, signal } = source;
  const secrets = await source.secrets();
  const whole = wholeProperties(properties, secrets);
  checkSize(id, whole);
  if (renderer.isOnlyStored?.({ id, properties: whole }) === true) {
    return { rendering: { parts: [] }, parts: [], outputs: [], isSimulated: false };
  }
  const context = await loadContext(resources, {
    id,
    properties: whole,
    dependencies: renderer.dependencies(whole),
    publicEndpoint: renderer.usesPublicEndpoint === true ? await deps.publicEndpoint({ signal }) : undefined,
  });
  checkDependencySizes(id, context);
  const rendering = renderer.render({ id, properties: whole, secrets }, context);
  requester.hide(secretTexts(rendering));
  const parts = orderParts(rendering.parts).map(deployable);
  const isSimulated = context.environment.properties["simulated"] === true;
  return { rendering, parts, outputs: wantedOutputs(parts, rendering), isSimulated };
}

/** @throws ApiError for what needs a platform that is not there. */
function deployable(part: Part): KubernetesPart {
  if (part.platform !== "kubernetes") {
    throw new ApiError(
      "BadRequest",
      `provider ${part.platform} is not configured. Cannot support resource type ${part.type}`,
    );
  }
  return part;
}

/** The API server may repeat in an error what it was sent. */
function* secretTexts({ parts, secretValues = {} }: Rendering): Iterable<string> {
  yield* Object.values(secretValues);
  for (const part of parts) {
    if (part.platform !== "kubernetes" || part.object.kind !== "Secret") {
      continue;
    }
    for (const value of Object.values(objectMember(part.object, "data"))) {
      if (typeof value === "string") {
        yield value;
      }
    }
  }
}
