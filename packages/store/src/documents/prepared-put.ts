import type { KeyRing } from "../sealing/key-ring.ts";
import type { DocumentChange, DocumentInput, DocumentRemove, Expectation } from "../store.ts";
import { encodeBody } from "./document.ts";
import { toKey } from "./keys.ts";

/** A put whose costly parts, text and sealing, were done before the transaction. */
export interface PreparedPut {
  readonly input: DocumentInput;
  readonly body: string;
  readonly sealed: { readonly text: string | null; readonly keyId: string | null } | "keep";
}

export type PreparedChange =
  | { readonly kind: "put"; readonly id: string; readonly put: PreparedPut; readonly expect: Expectation }
  | DocumentRemove;

export function prepareChange(ring: KeyRing, change: DocumentChange): PreparedChange {
  if (change.kind === "remove") {
    return change;
  }
  const { input, expect } = change;
  return { kind: "put", id: input.id, put: preparePut(ring, input), expect };
}

function preparePut(ring: KeyRing, input: DocumentInput): PreparedPut {
  const body = encodeBody(input.body);
  if (input.secrets === "keep") {
    return { input, body, sealed: "keep" };
  }
  const text = ring.seal(toKey(input.id), input.secrets);
  return { input, body, sealed: { text, keyId: text === null ? null : ring.currentId } };
}
