import { printJson, type Sliced } from "@rad/core";
import type { KeyRing } from "../sealing/key-ring.ts";
import type { DocumentChange, DocumentInput, DocumentPut, DocumentRemove, Expectation, Write } from "../store.ts";
import { encodeBody, etagOf } from "./document.ts";
import { toKey } from "./keys.ts";

/** A put whose costly parts, text, sealing and hash, were done before the transaction. */
export interface PreparedPut {
  readonly input: DocumentInput;
  readonly body: string;
  readonly sealed: { readonly text: string | null; readonly keyId: string | null } | "keep";
  /** Absent where it depends on what the transaction finds. */
  readonly etag: string | undefined;
  readonly inTurn: DocumentPut["inTurn"];
}

export type PreparedChange =
  | { readonly kind: "put"; readonly id: string; readonly put: PreparedPut; readonly expect: Expectation }
  | DocumentRemove;

/** Those of a write, in their order. */
export interface PreparedChanges {
  readonly document: PreparedChange | undefined;
  readonly also: readonly PreparedChange[];
  /** Characters of text to store. */
  readonly size: number;
}

export function* prepareChanges(ring: KeyRing, { document, also = [] }: Write): Sliced<PreparedChanges> {
  const prepared = document && (yield* prepareChange(ring, document));
  const others: PreparedChange[] = [];
  for (const other of also) {
    others.push(yield* prepareChange(ring, other));
  }
  const size = [prepared, ...others].reduce((sum, change) => sum + sizeOf(change), 0);
  return { document: prepared, also: others, size };
}

/** Within the transaction: its turn has come. */
export function completePut(put: PreparedPut): PreparedPut {
  if (put.inTurn === undefined) {
    return put;
  }
  const body = put.inTurn(put.input.body);
  return { ...put, input: { ...put.input, body }, body: encodeBody(body) };
}

function* prepareChange(ring: KeyRing, change: DocumentChange): Sliced<PreparedChange> {
  if (change.kind === "remove") {
    return change;
  }
  const { input, expect } = change;
  return { kind: "put", id: input.id, put: yield* preparePut(ring, change), expect };
}

function* preparePut(ring: KeyRing, { input, inTurn }: DocumentPut): Sliced<PreparedPut> {
  const body = inTurn === undefined ? yield* printJson(input.body) : "";
  if (input.secrets === "keep") {
    return { input, body, sealed: "keep", etag: undefined, inTurn };
  }
  const text = yield* ring.seal(toKey(input.id), input.secrets);
  const sealed = { text, keyId: text === null ? null : ring.currentId };
  return { input, body, sealed, etag: inTurn === undefined ? etagOf(input, body, text) : undefined, inTurn };
}

function sizeOf(change: PreparedChange | undefined): number {
  if (change?.kind !== "put") {
    return 0;
  }
  const { body, sealed } = change.put;
  return body.length + (sealed === "keep" ? 0 : (sealed.text?.length ?? 0));
}
