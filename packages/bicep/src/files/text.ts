/** What a file holds as text, and whether its first bytes name another encoding than the one asked for. */
export interface DecodedText {
  readonly text: string;
  /** The encoding that a byte order mark names, when there is one. */
  readonly marked: TextEncoding | undefined;
  /** Some bytes were no UTF-8 and became U+FFFD. */
  readonly hasInvalidBytes: boolean;
}

/** The encodings that file functions accept. */
export type TextEncoding = "us-ascii" | "iso-8859-1" | "utf-8" | "utf-16BE" | "utf-16";

const encodings: ReadonlySet<string> = new Set<TextEncoding>(["us-ascii", "iso-8859-1", "utf-8", "utf-16BE", "utf-16"]);

export function isTextEncoding(name: string): name is TextEncoding {
  return encodings.has(name);
}

/** Decodes a file. A byte order mark wins over `encoding`; never fails, since bytes that fit nothing are replaced. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding = "utf-8"): DecodedText {
  const marked = markOf(bytes);
  const content = bytes.subarray(marked === undefined ? 0 : marked === "utf-8" ? 3 : 2);
  const text = decode(content, marked ?? encoding);
  const isUtf8 = (marked ?? encoding) === "utf-8";
  return { text, marked, hasInvalidBytes: isUtf8 && text.includes("\uFFFD") && !isValidUtf8(content) };
}

/** Base64 with the usual alphabet and padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += chunkLength) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunkLength));
  }
  return btoa(binary);
}

// How many arguments are passed to one call: far below what engines allow.
const chunkLength = 8192;

function markOf(bytes: Uint8Array): TextEncoding | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return "utf-8";
  }
  if (first === 0xff && second === 0xfe) {
    return "utf-16";
  }
  return first === 0xfe && second === 0xff ? "utf-16BE" : undefined;
}

function decode(bytes: Uint8Array, encoding: TextEncoding): string {
  switch (encoding) {
    case "utf-8":
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    case "utf-16":
      return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(bytes);
    case "utf-16BE":
      return new TextDecoder("utf-16be", { ignoreBOM: true }).decode(bytes);
    case "iso-8859-1":
      return decodeBytes(bytes, (byte) => byte);
    case "us-ascii":
      return decodeBytes(bytes, (byte) => (byte < 0x80 ? byte : questionMark));
    default:
      return encoding satisfies never;
  }
}

const questionMark = 0x3f;

/** One character a byte: platforms mean windows-1252 when they are asked for iso-8859-1. */
function decodeBytes(bytes: Uint8Array, character: (byte: number) => number): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += chunkLength) {
    text += String.fromCharCode(...Array.from(bytes.subarray(start, start + chunkLength), character));
  }
  return text;
}

function isValidUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
