import type { Write } from "../store.ts";

/** @throws TypeError for a write that contradicts itself */
export function checkWrite({ lease, outcome, park }: Write): void {
  if (lease === undefined && (outcome !== undefined || park !== undefined)) {
    throw new TypeError("An outcome and parking belong to a lease.");
  }
  if (outcome !== undefined && park !== undefined) {
    throw new TypeError("An operation that ends cannot be parked.");
  }
}
