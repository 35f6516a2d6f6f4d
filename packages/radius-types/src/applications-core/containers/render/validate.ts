import { ApiError, atOnce, isJsonObject, objectMember, sameJson } from "@rad/core";
import type { Validated } from "@rad/resources";
import type { CheckedRequest } from "../../../rendering/renderer.ts";
import { readBaseManifest } from "./base-manifest.ts";
import { containerProperties } from "./container-properties.ts";
import { checkVariable } from "./env.ts";
import { checkPodPatch } from "./pod-patch.ts";

/** Checks a PUT beyond the schema. @throws ApiError to refuse it. */
export function validateContainer({ id, properties: json, current }: CheckedRequest): Validated | void {
  const { container, identity, runtimes } = containerProperties(json);
  for (const [name, variable] of Object.entries(container.env ?? {})) {
    checkVariable(name, variable);
  }
  readBaseManifest(runtimes?.kubernetes?.base, id.name.toLowerCase());
  const patch = runtimes?.kubernetes?.pod;
  if (isJsonObject(patch)) {
    checkPodPatch(patch);
  }
  if (identity === undefined) {
    return;
  }
  // Its deployment fills it in; a client that sends back what it has read means no harm.
  const stored = objectMember(objectMember(current?.body ?? {}, "properties"), "identity");
  if (!atOnce(sameJson(stored, identity))) {
    throw new ApiError("BadRequest", "User-defined identity in Applications.Core/containers is not supported.", {
      target: "$.properties.identity",
    });
  }
  const { identity: _identity, ...rest } = json;
  return { properties: rest };
}
