import { type JsonObject, objectMember } from "@rad/core";
import type { NestedPreview, ResourcePreview } from "../change.ts";
import { requestContext } from "../handling/request-context.ts";
import { type ExpectedResources, withExpected } from "../handling/expected-resources.ts";
import type { ResourceRequest } from "../resource-request.ts";
import type { ChangeDeps } from "../change-deps.ts";
import type { PutOptions } from "./put-resource.ts";
import { readPut, type RequestedPut } from "./requested-put.ts";
import { carriedOver, withResults } from "./carried-over.ts";
import { requireScopes } from "../scopes.ts";
import { changedSecrets, isUnchanged } from "./is-unchanged.ts";

export interface PreviewOptions extends Pick<PutOptions, "method" | "secrets"> {
  /** Other resources that will have been written by then. */
  readonly expected?: ExpectedResources | undefined;
  /** Asks also for what the type's handler would change outside of the store. */
  readonly nested?: boolean | undefined;
  /** JSON pointers into the body: values that are known only when it is sent. */
  readonly unknown?: readonly string[] | undefined;
}

/** What `putResource` would store beside what is stored now, after the same checks. Changes nothing. */
export async function previewResource(
  deps: ChangeDeps,
  request: ResourceRequest,
  { method = "PUT", secrets = [], expected = () => undefined, nested = false, unknown = [] }: PreviewOptions = {},
): Promise<ResourcePreview> {
  const put = await readPut(deps, request, { method, whileBusy: true, secrets, expected });
  const { current } = put;
  if (current === undefined) {
    await requireScopes(deps.store, put.id);
  }
  const location = current?.body["location"] ?? deps.location;
  const show = (apiVersion: string, tags: JsonObject, properties: JsonObject): JsonObject =>
    shown(put, { apiVersion, location }, { tags, properties });
  const elsewhere = nested ? await nestedPreview(deps, request, put, { expected, unknown }) : undefined;
  return {
    before:
      current === undefined ? undefined : show(current.apiVersion, objectMember(current.body, "tags"), put.stored),
    after: show(put.version.name, put.tags, put.properties.visible),
    changedSecrets: await changedSecrets(deps.store, put),
    warnings: [...put.warnings, ...(elsewhere?.warnings ?? [])],
    ...(elsewhere === undefined ? {} : { nested: elsewhere.changes }),
    ...(elsewhere?.recipe === undefined ? {} : { recipe: elsewhere.recipe }),
  };
}

async function nestedPreview(
  deps: ChangeDeps,
  request: ResourceRequest,
  put: RequestedPut,
  { expected, unknown }: { readonly expected: ExpectedResources; readonly unknown: readonly string[] },
): Promise<NestedPreview | undefined> {
  const { type, version, id, current, stored, properties } = put;
  if (type.handler.preview === undefined) {
    return undefined;
  }
  const carried = await carriedOver(deps.store, current, stored);
  const context = await requestContext(deps, request, {
    id,
    apiVersion: version.name,
    body: { properties: withResults(properties.visible, carried.properties) },
    secrets: { ...carried.secrets, ...properties.secrets },
  });
  return await type.handler.preview({
    ...context,
    resources: withExpected(context.resources, expected),
    isExpected: (other) => expected(other) !== undefined,
    change: current === undefined ? "create" : (await isUnchanged(deps.store, put)) ? "none" : "modify",
    unknown,
  });
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
