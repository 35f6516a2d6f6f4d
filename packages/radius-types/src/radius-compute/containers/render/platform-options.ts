import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { podSpecFields } from "../../../rendering/strategic-merge/merge-fields.ts";
import { PatchError } from "../../../rendering/strategic-merge/patch-error.ts";
import { strategicMerge } from "../../../rendering/strategic-merge/strategic-merge.ts";

/** `platformOptions.kubernetes` is a strategic merge patch of the pod; options of other platforms mean nothing here. */
export function withPlatformOptions(properties: JsonObject, podSpec: JsonObject): JsonObject {
  const patch = objectMember(objectMember(properties, "platformOptions"), "kubernetes");
  try {
    return strategicMerge(podSpec, patch, podSpecFields);
  } catch (error) {
    if (!(error instanceof PatchError)) {
      throw error;
    }
    throw new ApiError("BadRequest", `Invalid PodSpec for patching: ${error.message}`, {
      target: "$.properties.platformOptions.kubernetes",
      cause: error,
    });
  }
}
