import { murmur64 } from "./hash.ts";
import { encodeUtf8 } from "./text/bytes.ts";

/** What the template function `uniqueString` gives: thirteen characters that depend on the texts alone. */
export function uniqueString(...texts: readonly string[]): string {
  return uniqueText(encodeUtf8(texts.join("-")));
}

export function uniqueText(bytes: Uint8Array): string {
  return base32(murmur64(bytes));
}

/** Thirteen characters of five bits, the highest bits first; the last one is filled up with a zero bit. */
function base32(hash: bigint): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  let text = "";
  for (let shift = 60n; shift >= 0n; shift -= 5n) {
    text += alphabet[Number(((hash << 1n) >> shift) & 31n)];
  }
  return text;
}
