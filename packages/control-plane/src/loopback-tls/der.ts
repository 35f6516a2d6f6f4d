/** The part of DER (ITU-T X.690) that certificates are written in: every value is a tag, a length and its bytes. */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  contextSpecific: 0x80,
  constructed: 0x20,
} as const;

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return encode(tags.sequence, ...parts);
}

export function set(...parts: readonly Uint8Array[]): Buffer {
  return encode(tags.set, ...parts);
}

/** A number of any length that is not negative, most significant byte first. */
export function unsigned(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? Buffer.of(0) : bytes.subarray(start);
  // The first bit is the sign.
  return encode(tags.integer, ...((digits[0] ?? 0) > 0x7f ? [Buffer.of(0)] : []), digits);
}

export function boolean(value: boolean): Buffer {
  return encode(tags.boolean, Buffer.of(value ? 0xff : 0));
}

/** Bits that fill whole bytes but for the last `unused` ones. */
export function bitString(bytes: Uint8Array, unused = 0): Buffer {
  return encode(tags.bitString, Buffer.of(unused), bytes);
}

export function octetString(bytes: Uint8Array): Buffer {
  return encode(tags.octetString, bytes);
}

export function utf8String(text: string): Buffer {
  return encode(tags.utf8String, Buffer.from(text));
}

/** To the second. Certificates write years from 2050 on with four digits, and earlier ones with two. */
export function time(date: Date): Buffer {
  const text = `${date.toISOString().replaceAll(/[-:T]/g, "").slice(0, 14)}Z`;
  return date.getUTCFullYear() < 2050
    ? encode(tags.utcTime, Buffer.from(text.slice(2)))
    : encode(tags.generalizedTime, Buffer.from(text));
}

/** `1.2.840.10045`: the first two numbers share a byte, the others have seven bits in each. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return encode(tags.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(sevenBits)]));
}

/** A member that is told by its number: `[0]` with whole values inside. */
export function explicit(number: number, ...parts: readonly Uint8Array[]): Buffer {
  return encode(tags.contextSpecific | tags.constructed | number, ...parts);
}

/** The same with bare bytes inside, whose type its number says. */
export function implicit(number: number, bytes: Uint8Array): Buffer {
  return encode(tags.contextSpecific | number, bytes);
}

function encode(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), length(content.length), content]);
}

function length(count: number): Buffer {
  if (count < 0x80) {
    return Buffer.of(count);
  }
  const bytes = count < 0x100 ? [count] : [count >> 8, count & 0xff]; // nothing here has 64 KiB
  return Buffer.of(0x80 | bytes.length, ...bytes);
}

function sevenBits(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let rest = number >> 7; rest > 0; rest >>= 7) {
    bytes.unshift((rest & 0x7f) | 0x80);
  }
  return bytes;
}
