import { ApiError } from "@rad/core";
import type { Dependency, RenderContext } from "./renderer.ts";

/** @throws ApiError when the context has no such resource. */
export function dependencyOf({ dependencies }: RenderContext, id: string): Dependency {
  const found = dependencies.get(id.toLowerCase());
  if (found === undefined) {
    throw new ApiError("BadRequest", `resource "${id}" does not exist`);
  }
  return found;
}
