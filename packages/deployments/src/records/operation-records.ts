import type { DocumentRemove, Store, StoredDocument } from "@rad/store";

/** What was done for one node of a deployment, or for one call that its expressions made. */
export const operationType = "Microsoft.Resources/deployments/operations";

/** How many records one page or one transaction takes. */
const chunk = 500;

/** The records of a deployment, of whatever run, in pages. */
export async function* recordPages(store: Store, deploymentId: string): AsyncGenerator<readonly StoredDocument[]> {
  let after: string | undefined;
  do {
    const page = await store.list({
      type: operationType,
      under: deploymentId,
      limit: chunk,
      ...(after === undefined ? {} : { after }),
    });
    if (page.items.length > 0) {
      yield page.items;
    }
    after = page.next;
  } while (after !== undefined);
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
