import { StoreError } from "../store.ts";
import type { KeyRange } from "./keys.ts";

const version = "1";

/** A page token names the last key of its page, so a page costs the same wherever it starts. */
export function pageTokenAfter(key: string): string {
  return Buffer.from(version + key).toString("base64url");
}

/** @throws StoreError `InvalidToken` unless the token was made for a list over `range`. */
export function keyOfPageToken(token: string, range: KeyRange): string {
  const bytes = Buffer.from(token, "base64url");
  const text = bytes.toString();
  const key = text.slice(version.length);
  // Decoding is lenient; only what encodes to the same token again was made by us.
  const isOurs = text.startsWith(version) && Buffer.from(text).toString("base64url") === token;
  if (!isOurs || key.includes("\0") || isBefore(key, range.after) || !isBefore(key, range.before)) {
    throw new StoreError("InvalidToken", "The page token is not one that this list returned.");
  }
  return key;
}

/** In the databases' order: by bytes, which differs from JavaScript's order beyond the basic plane. */
function isBefore(left: string, right: string): boolean {
  return Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0;
}
