import { ApiError, hasMoreValues } from "@rad/core";
import type { JsonObject, ResourceId } from "@rad/core";
import type { RenderContext } from "./renderer.ts";

/** Far more than a pod could use, and few enough to be rendered in one turn of the event loop. */
const maxValues = 10_000;

/** @throws ApiError for a resource that is too large for the objects of a cluster. */
export function checkSize(id: ResourceId, properties: JsonObject): void {
  if (hasMoreValues(properties, maxValues)) {
    throw tooLarge(`'${id.name}' has`, "$.properties");
  }
}

/** The same for what a resource gets from those that it names. */
export function checkDependencySizes(id: ResourceId, { dependencies }: RenderContext): void {
  for (const { id: other, properties, values, secretValues } of dependencies.values()) {
    if (hasMoreValues({ properties, values, secretValues }, maxValues)) {
      throw tooLarge(`'${other.toString()}', which '${id.name}' names, has`, other.toString());
    }
  }
}

function tooLarge(what: string, target: string): ApiError {
  const message = `${what} more than ${maxValues} values, which is too large for Kubernetes. Split it.`;
  return new ApiError("RequestEntityTooLarge", message, { target });
}
