import { StoreError } from "../store.ts";
import type { Lease } from "../store.ts";

export function leaseLost(lease: Lease): StoreError {
  return new StoreError(
    "LeaseLost",
    `The lease on operation ${lease.operationId} has run out, or another worker took the operation over.`,
  );
}
