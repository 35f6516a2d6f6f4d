import { StoreError } from "../store.ts";
import type { Expectation, Guard } from "../store.ts";
import { keysBelow } from "./keys.ts";
import type { KeyRange } from "./keys.ts";

/** @throws StoreError `EtagMismatch` */
export function checkExpectation(id: string, expect: Expectation, storedEtag: string | undefined): void {
  if (expect === "any") {
    return;
  }
  if (expect === "absent") {
    if (storedEtag !== undefined) {
      throw new StoreError("EtagMismatch", `'${id}' exists already.`);
    }
    return;
  }
  if (storedEtag === undefined) {
    throw new StoreError("EtagMismatch", `'${id}' does not exist any more.`);
  }
  if (storedEtag !== expect.etag) {
    throw new StoreError("EtagMismatch", `'${id}' has changed since it was read.`);
  }
}

export function guardFailed(guard: Guard): StoreError {
  return new StoreError("GuardFailed", messageOf(guard), { guard });
}

function messageOf(guard: Guard): string {
  switch (guard.kind) {
    case "exists":
      return guard.etag === undefined ? `'${guard.id}' does not exist.` : `'${guard.id}' has changed or is gone.`;
    case "empty":
      return `'${guard.under}' is not empty.`;
    case "noInstances":
      return `Resources of type '${guard.type}' exist under '${guard.under}'.`;
    default:
      return guard satisfies never;
  }
}

/** What a `noInstances` guard must not find: these keys with a type of this range (both ends inclusive). */
export function instancesOf(guard: Guard & { kind: "noInstances" }): {
  readonly keys: KeyRange;
  readonly firstType: string;
  readonly lastType: string;
} {
  const type = guard.type.toLowerCase();
  const keys = keysBelow(guard.under);
  // Everything in a namespace lies between `ns/` and `ns0`, as for ids; no type is called `ns/` or `ns0`.
  return type.endsWith("/")
    ? { keys, firstType: type, lastType: `${type.slice(0, -1)}0` }
    : { keys, firstType: type, lastType: type };
}
