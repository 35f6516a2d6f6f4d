import { objectMember, ResourceId, type JsonValue } from "@rad/core";
import type { ResourceReader } from "@rad/resources";
import type { KnownResource } from "./graph-shape.ts";

/** Enough for thousands of ordinary resources, and no more than that in memory at a time. */
const page = { limit: 500, maxBytes: 4 * 1024 * 1024 };

/** Deployments are a history; applications and environments of `Radius.Core` belong to nothing that a graph shows. */
const leftOut: ReadonlySet<string> = new Set([
  "microsoft.resources/deployments",
  "radius.core/environments",
  "radius.core/applications",
]);

export interface GraphOwner {
  readonly application: ResourceId;
  /** As the application's properties have it. */
  readonly environment: JsonValue | undefined;
}

/**
 * The resources in the application's group that name it, and those in its environment's group that name the environment.
 * Like upstream, this compares names and not ids. What the requester may not read is not there.
 */
export async function listKnownResources(
  reader: Pick<ResourceReader, "list">,
  { application, environment }: GraphOwner,
  signal: AbortSignal,
): Promise<KnownResource[]> {
  const environmentId = typeof environment === "string" ? ResourceId.tryParse(environment) : undefined;
  const applicationGroup = application.rootScope.toLowerCase();
  const environmentGroup = environmentId?.rootScope.toLowerCase();
  const found: KnownResource[] = [];
  for (const group of new Set([applicationGroup, environmentGroup])) {
    if (group === undefined || group === "") {
      continue;
    }
    for await (const document of resourcesIn(reader, group, signal)) {
      const properties = objectMember(await document.parsed(), "properties");
      const isMember = group === applicationGroup && names(properties["application"], application);
      const isShared = group === environmentGroup && names(properties["environment"], environmentId);
      if (isMember || isShared) {
        found.push({ id: document.id, properties, isMember });
      }
    }
  }
  return found;
}

async function* resourcesIn(reader: Pick<ResourceReader, "list">, under: string, signal: AbortSignal) {
  let after: string | undefined;
  do {
    signal.throwIfAborted();
    const from = after === undefined ? {} : { after };
    const { items, next } = await reader.list({ under, directly: true, topLevel: true, ...page, ...from });
    yield* items.filter(({ type }) => !leftOut.has(type.toLowerCase()));
    after = next;
  } while (after !== undefined);
}

function names(value: JsonValue | undefined, wanted: ResourceId | undefined): boolean {
  if (typeof value !== "string" || wanted === undefined) {
    return false;
  }
  return value.slice(value.lastIndexOf("/") + 1).toLowerCase() === wanted.name.toLowerCase();
}
