import { decodeUtf8Strictly, encodeUtf8 } from "./bytes.ts";
import { TextPieces } from "./text-pieces.ts";

/** Escapes every byte but those of `A-Z a-z 0-9 - _ . ~`. */
export function percentEncode(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9\-_.~]+/g, (run) => {
    const escaped = new TextPieces();
    for (const byte of encodeUtf8(run)) {
      escaped.add(escapes[byte] ?? "");
    }
    return escaped.text();
  });
}

/** Undoes escapes; those that are malformed or stand for no character stay as they are. */
export function percentDecode(text: string): string {
  return text.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, decodeRun);
}

function decodeRun(run: string): string {
  const bytes = new Uint8Array(run.length / 3);
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = Number.parseInt(run.slice(at * 3 + 1, at * 3 + 3), 16);
  }
  const result = new TextPieces();
  for (let at = 0; at < bytes.length;) {
    const size = sequenceSize(bytes[at] ?? 0);
    const char = decodeUtf8Strictly(bytes.subarray(at, at + size));
    const taken = char === undefined ? 1 : size;
    result.add(char ?? run.slice(at * 3, at * 3 + 3));
    at += taken;
  }
  return result.text();
}

/** How many bytes the character that begins with this one has. */
function sequenceSize(lead: number): number {
  if (lead < 0xc0) {
    return 1;
  }
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

const escapes = Array.from(
  { length: 256 },
  (_, byte): string => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
);
