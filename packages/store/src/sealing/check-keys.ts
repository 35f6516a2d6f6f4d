import { StoreError } from "../store.ts";
import type { KeyRing } from "./key-ring.ts";

/** What a database remembers about the keys it was sealed with. */
export interface KeyHistory {
  readonly checks: readonly { readonly key_id: string; readonly check_value: string }[];
  /** Ids of the keys that some document still needs. */
  readonly inUse: readonly string[];
}

/**
 * Finds out, before anything is written, whether the ring belongs to the database. Keys that the database has not seen
 * yet are welcome only beside one that it knows, which is how a rotation starts.
 * @returns the ids that still need a check value.
 * @throws StoreError `CannotOpen`
 */
export function checkKeys(ring: KeyRing, history: KeyHistory): readonly string[] {
  const known = new Map(history.checks.map((row) => [row.key_id, row.check_value]));
  for (const id of ring.ids) {
    const check = known.get(id);
    if (check !== undefined) {
      ring.verifyCheck(id, check);
    }
  }
  const missing = history.inUse.filter((id) => !ring.ids.includes(id));
  if (missing.length > 0) {
    throw new StoreError("CannotOpen", `Secrets in the database need sealing key '${missing.join("', '")}'.`);
  }
  if (known.size > 0 && !ring.ids.some((id) => known.has(id))) {
    throw new StoreError(
      "CannotOpen",
      `The database was sealed with key '${[...known.keys()].join("', '")}', and only '${ring.ids.join("', '")}' was given.`,
    );
  }
  return ring.ids.filter((id) => !known.has(id));
}
