import { encodeBase64, encodeUtf8 } from "@rad/templates/bytes";

/** The local id of a part that a resource can have several of: the prefix with a hash (FNV-1a, 32 bits) of what tells it apart. */
export function hashedLocalId(prefix: string, ...inputs: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const byte of encodeUtf8(inputs.join(""))) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, hash);
  return `${prefix}-${encodeBase64(bytes)}`;
}
