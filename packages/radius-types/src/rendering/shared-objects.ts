import { isTerminal, objectMember, type ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { objectOfId } from "@rad/kubernetes";
import type { ResourceAccess } from "@rad/resources";
import { textMember } from "./members.ts";
import { outputsAsJson, recordedOutputs } from "./output-resources.ts";
import type { OutputResource } from "./output-resources.ts";
import type { Renderer } from "./renderer.ts";

/*
 * Objects that several resources of one type have in common, such as the HTTPProxy of a Service to which two gateways
 * lead. Each records it; the last one deletes it.
 *
 * A resource that is about to delete such an object says so in `status.releasing`, and only then looks for others that
 * record it. A resource that is about to apply one records it, and only then looks for others that release it. Each
 * writes before it reads, so of two at once at least one sees the other: two that release it both delete it, and
 * whoever applies it waits for the one that deletes it.
 */

/** The resource that has such objects, with the means to read others. */
interface Sharer {
  readonly id: ResourceId;
  readonly resources: ResourceAccess;
}

/** Those of `outputs` that can be shared, by the renderer's `sharedKinds`. */
export function sharable(
  { sharedKinds = [] }: Pick<Renderer, "sharedKinds">,
  outputs: readonly OutputResource[],
): readonly OutputResource[] {
  return sharedKinds.length === 0
    ? []
    : outputs.filter(({ id, radiusManaged }) => radiusManaged && sharedKinds.includes(objectOfId(id)?.kind ?? ""));
}

/** The status that says which objects are about to be deleted. */
export function releasing(status: JsonObject, outputs: readonly OutputResource[]): JsonObject {
  return { ...status, releasing: outputs.map(({ id }) => id) };
}

/** The status that records what a resource consists of, none of which is about to be deleted. */
export function recording(status: JsonObject, outputs: readonly OutputResource[]): JsonObject {
  return { ...notReleasing(status), outputResources: outputsAsJson(outputs) };
}

export function notReleasing({ releasing: _releasing, ...status }: JsonObject): JsonObject {
  return status;
}

/** Those of `outputs` that another resource records and does not release. */
export async function neededByOthers(
  sharer: Sharer,
  outputs: readonly OutputResource[],
): Promise<readonly OutputResource[]> {
  const needed = new Set<string>();
  for (const { status } of await othersOf(sharer, outputs)) {
    const released = new Set(releasedIds(status));
    for (const { id, radiusManaged } of recordedOutputs(status)) {
      if (radiusManaged && !released.has(id.toLowerCase())) {
        needed.add(id.toLowerCase());
      }
    }
  }
  return outputs.filter(({ id }) => needed.has(id.toLowerCase()));
}

/** Whether another resource is about to delete one of `outputs`. One whose deletion failed is not at it any more. */
export async function isBeingReleased(sharer: Sharer, outputs: readonly OutputResource[]): Promise<boolean> {
  const ids = new Set(outputs.map(({ id }) => id.toLowerCase()));
  const others = await othersOf(sharer, outputs);
  return others.some(({ state, status }) => !isTerminal(state) && releasedIds(status).some((id) => ids.has(id)));
}

interface Other {
  readonly state: string;
  readonly status: JsonObject;
}

/** The other resources of the type in the group; none are read where nothing can be shared. */
async function othersOf({ id, resources }: Sharer, outputs: readonly OutputResource[]): Promise<readonly Other[]> {
  if (outputs.length === 0) {
    return [];
  }
  const { items } = await resources.asServer.list({ type: id.type, under: id.rootScope, directly: true });
  const others = items.filter((item) => item.id.toLowerCase() !== id.toString().toLowerCase());
  return await Promise.all(
    others.map(async (other) => {
      const properties = objectMember(await other.parsed(), "properties");
      return { state: textMember(properties, "provisioningState") ?? "", status: objectMember(properties, "status") };
    }),
  );
}

function releasedIds(status: JsonObject): readonly string[] {
  const { releasing: ids } = status;
  return (Array.isArray(ids) ? ids : []).flatMap((id) => (typeof id === "string" ? id.toLowerCase() : []));
}
