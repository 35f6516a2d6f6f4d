import { mainThread, objectMember } from "@rad/core";
import { type DocumentRemove, pageBytes, type Store, type StoredDocument } from "@rad/store";
import { deploymentType, textMember } from "../deployment-document.ts";

/** What was done for one node of a deployment, or for one call that its expressions made. */
export const operationType = "Microsoft.Resources/deployments/operations";

/** How many records one page or one transaction takes. */
const chunk = 250;

/** The records of a deployment, of whatever run, in pages. */
export async function* recordPages(store: Store, deploymentId: string): AsyncGenerator<readonly StoredDocument[]> {
  let after: string | undefined;
  do {
    const turn = mainThread.giveWay(); // an embedded database reads on this thread
    if (turn !== undefined) {
      await turn;
    }
    const page = await store.list({
      type: operationType,
      under: deploymentId,
      limit: chunk,
      maxBytes: pageBytes,
      ...(after === undefined ? {} : { after }),
    });
    if (page.items.length > 0) {
      yield page.items;
    }
    after = page.next;
  } while (after !== undefined);
}

/** The records of a deployment and of everything nested in it, as far as they belong to the run of `operationId`. */
export async function* recordsOfRun(
  store: Store,
  deploymentId: string,
  operationId: string,
): AsyncGenerator<readonly StoredDocument[]> {
  const visited = new Set<string>();
  const waiting = [deploymentId];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (visited.has(next.toLowerCase())) {
      continue;
    }
    visited.add(next.toLowerCase());
    for await (const page of recordPages(store, next)) {
      const records = page.filter((record) => record.operationId === operationId);
      yield records;
      waiting.push(...records.map(targetOf).flatMap(({ id, type }) => (isDeployment(type) ? [id] : [])));
    }
  }
}

/** Of the resource that a record is about. */
export function targetOf(record: Pick<StoredDocument, "body">): { readonly id: string; readonly type: string } {
  const target = objectMember(objectMember(record.body, "properties"), "targetResource");
  return { id: textMember(target, "id"), type: textMember(target, "resourceType") };
}

/** When a record was changed last; within a run, each change of any record is later than the one before. */
export function timestampOf(record: Pick<StoredDocument, "body">): string {
  return textMember(objectMember(record.body, "properties"), "timestamp");
}

export function isDeployment(type: string): boolean {
  return type.toLowerCase() === deploymentType.toLowerCase();
}

/** Removes the records of a deployment for which `which` holds. `write` decides under which lease. */
export async function removeRecords(
  store: Store,
  deploymentId: string,
  which: (record: StoredDocument) => boolean,
  write: (removals: readonly DocumentRemove[]) => Promise<unknown>,
): Promise<void> {
  for await (const page of recordPages(store, deploymentId)) {
    const removals = page.filter(which).map(({ id }): DocumentRemove => ({ kind: "remove", id, expect: "any" }));
    if (removals.length > 0) {
      await write(removals);
    }
  }
}
