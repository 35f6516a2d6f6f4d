const encoder = new TextEncoder();
// A byte order mark is text like any other here.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictDecoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Bytes that are no UTF-8 become replacement characters. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function decodeUtf8Strictly(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    // The decoder has no other way to say that the bytes are no UTF-8.
    return undefined;
  }
}

export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  // Arguments of one call live on the stack, so long input goes in pieces.
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(binary);
}

/** White space is skipped; the padding has to be there. `undefined` when the text is not base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const compact = text.replaceAll(/[ \t\r\n]/g, "");
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) {
    return undefined;
  }
  const binary = atob(compact);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) {
    bytes[at] = binary.charCodeAt(at);
  }
  return bytes;
}
