import { encodeUtf8 } from "@rad/templates/bytes";
import { sha1 } from "@rad/templates/sha1";

/** The pod template's annotation that makes pods start again when a value of their Secret changes. */
export const secretHashAnnotation = "radapp.io/secret-hash";

/** SHA-1 in hex over `|key|value` of all values in clear, sorted by key. */
export function secretHash(values: Readonly<Record<string, string>>): string {
  const keys = Object.keys(values).toSorted();
  const bytes = sha1(encodeUtf8(keys.map((key) => `|${key}|${values[key] ?? ""}`).join("")));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
