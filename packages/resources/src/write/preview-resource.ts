import { type JsonObject, objectMember } from "@rad/core";
import type { ResourcePreview } from "../change.ts";
import type { ResourceRequest } from "../resource-request.ts";
import type { ChangeDeps } from "../change-deps.ts";
import type { PutOptions } from "./put-resource.ts";
import { readPut, type RequestedPut } from "./requested-put.ts";
import { requireScopes } from "../scopes.ts";
import { changedSecrets } from "./is-unchanged.ts";

/** What `putResource` would store beside what is stored now, after the same checks. Changes nothing. */
export async function previewResource(
  deps: ChangeDeps,
  request: ResourceRequest,
  { method = "PUT", secrets = [] }: Pick<PutOptions, "method" | "secrets"> = {},
): Promise<ResourcePreview> {
  const put = await readPut(deps, request, { method, whileBusy: true, secrets });
  const { current } = put;
  if (current === undefined) {
    await requireScopes(deps.store, put.id);
  }
  const location = current?.body["location"] ?? deps.location;
  const show = (apiVersion: string, tags: JsonObject, properties: JsonObject): JsonObject =>
    shown(put, { apiVersion, location }, { tags, properties });
  return {
    before:
      current === undefined ? undefined : show(current.apiVersion, objectMember(current.body, "tags"), put.stored),
    after: show(put.version.name, put.tags, put.properties.visible),
    changedSecrets: await changedSecrets(deps.store, put),
    warnings: put.warnings,
  };
}

function shown(
  { type, id }: RequestedPut,
  fixed: JsonObject,
  parts: { tags: JsonObject; properties: JsonObject },
): JsonObject {
  const { apiVersion = "", location = "" } = fixed;
  const identity = { name: id.name, type: type.displayName ?? id.type, apiVersion };
  return type.policy.envelope === "proxy"
    ? { ...identity, properties: parts.properties }
    : { ...identity, location, ...parts };
}
