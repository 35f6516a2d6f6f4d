import { ResourceId } from "@rad/core";
import { ownReferences, referencesPath, referencesTo, type TakeAlongRequest } from "@rad/resources";
import type { Guard, StoredDocument } from "@rad/store";

export interface GroupReferences {
  /** The references of what goes. */
  readonly records: readonly StoredDocument[];
  /** Nobody else begins to refer to it. */
  readonly guards: readonly Guard[];
  /** What somebody outside of the group refers to. */
  readonly inTheWay: readonly StoredDocument[];
}

/** What a DELETE of a group does to references, of what it takes along and to it. */
export async function groupReferences(
  taken: readonly StoredDocument[],
  { resources, types }: Pick<TakeAlongRequest, "resources" | "types">,
): Promise<GroupReferences> {
  const records = new Map<string, StoredDocument>();
  const guards: Guard[] = [];
  const inTheWay: StoredDocument[] = [];
  const ids = new Set(taken.map(({ id }) => id.toLowerCase()));
  for (const item of taken) {
    const { handler } = await types.resolve(ResourceId.parse(item.id), item.apiVersion);
    const document = handler.references === undefined ? undefined : await resources.get(item.id);
    await document?.parsed();
    for (const id of document === undefined ? [] : ownReferences(handler, document)) {
      const reference = await resources.get(id);
      if (reference !== undefined) {
        records.set(reference.id, reference);
      }
    }
    if (handler.isReferenced === true) {
      const found = await referencesTo(item.id, resources);
      if (found.some(({ referrer }) => !ids.has(referrer.toLowerCase()))) {
        inTheWay.push(item);
      }
      const except = found.map(({ document: { id } }) => id);
      guards.push({ kind: "empty", under: referencesPath(item.id), except });
    }
  }
  return { records: [...records.values()], guards, inTheWay };
}
