import type { KeyRing } from "../sealing/key-ring.ts";
import type { DocumentInput } from "../store.ts";
import { encodeBody } from "./document.ts";
import { toKey } from "./keys.ts";

/** A put whose costly parts, text and sealing, were done before the transaction. */
export interface PreparedPut {
  readonly input: DocumentInput;
  readonly body: string;
  readonly sealed: { readonly text: string | null; readonly keyId: string | null } | "keep";
}

export function preparePut(ring: KeyRing, input: DocumentInput): PreparedPut {
  const body = encodeBody(input.body);
  if (input.secrets === "keep") {
    return { input, body, sealed: "keep" };
  }
  const text = ring.seal(toKey(input.id), input.secrets);
  return { input, body, sealed: { text, keyId: text === null ? null : ring.currentId } };
}
