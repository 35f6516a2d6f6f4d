import type { KeyRing } from "../sealing/key-ring.ts";
import type { DocumentChange, DocumentInput, DocumentPut, DocumentRemove, Expectation } from "../store.ts";
import { encodeBody } from "./document.ts";
import { toKey } from "./keys.ts";

/** A put whose costly parts, text and sealing, were done before the transaction. */
export interface PreparedPut {
  readonly input: DocumentInput;
  readonly body: string;
  readonly sealed: { readonly text: string | null; readonly keyId: string | null } | "keep";
  readonly inTurn: DocumentPut["inTurn"];
}

export type PreparedChange =
  | { readonly kind: "put"; readonly id: string; readonly put: PreparedPut; readonly expect: Expectation }
  | DocumentRemove;

export function prepareChange(ring: KeyRing, change: DocumentChange): PreparedChange {
  if (change.kind === "remove") {
    return change;
  }
  const { input, expect } = change;
  return { kind: "put", id: input.id, put: preparePut(ring, change), expect };
}

/** Within the transaction: its turn has come. */
export function completePut(put: PreparedPut): PreparedPut {
  if (put.inTurn === undefined) {
    return put;
  }
  const body = put.inTurn(put.input.body);
  return { ...put, input: { ...put.input, body }, body: encodeBody(body) };
}

function preparePut(ring: KeyRing, { input, inTurn }: DocumentPut): PreparedPut {
  const body = inTurn === undefined ? encodeBody(input.body) : "";
  if (input.secrets === "keep") {
    return { input, body, sealed: "keep", inTurn };
  }
  const text = ring.seal(toKey(input.id), input.secrets);
  return { input, body, sealed: { text, keyId: text === null ? null : ring.currentId }, inTurn };
}
