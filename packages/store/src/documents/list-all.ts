import { mainThread } from "@rad/core";
import type { ListQuery, Page, StoredDocument } from "../store.ts";

/** The text of one page, in an answer or in memory. Enough for thousands of ordinary documents. */
export const pageBytes: number = 4 * 1024 * 1024;

const pageLength = 500;

/** Everything that a query finds, however much: one page of it is in memory at a time. */
export async function* listAll(
  list: (query: ListQuery) => Promise<Page>,
  query: Omit<ListQuery, "after" | "limit" | "maxBytes">,
): AsyncGenerator<StoredDocument> {
  let after: string | undefined;
  do {
    await mainThread.giveWay(); // an embedded database reads on this thread
    const from = after === undefined ? {} : { after };
    const page = await list({ ...query, ...from, limit: pageLength, maxBytes: pageBytes });
    yield* page.items;
    after = page.next;
  } while (after !== undefined);
}
