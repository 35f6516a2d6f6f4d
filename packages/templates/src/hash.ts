/** The 64-bit Murmur variant of the template language: two lanes of 32 bits, seed 0. */
export function murmur64(data: Uint8Array): bigint {
  let h1 = 0;
  let h2 = 0;
  const blocks = data.length >>> 3;
  for (let block = 0; block < blocks; block += 1) {
    h1 = (rotl(h1 ^ mixFirst(readWord(data, block * 8, 4)), 19) + h2) | 0;
    h1 = (Math.imul(h1, 5) + 0x561ccd1b) | 0;
    h2 = (rotl(h2 ^ mixSecond(readWord(data, block * 8 + 4, 4)), 13) + h1) | 0;
    h2 = (Math.imul(h2, 5) + 0x0bcaa747) | 0;
  }

  const tail = blocks * 8;
  const rest = data.length - tail;
  if (rest > 4) {
    h2 ^= mixSecond(readWord(data, tail + 4, rest - 4));
  }
  if (rest > 0) {
    h1 ^= mixFirst(readWord(data, tail, Math.min(rest, 4)));
  }

  h1 ^= data.length;
  h2 ^= data.length;
  h1 = (h1 + h2) | 0;
  h2 = (h2 + h1) | 0;
  h1 = finish(h1);
  h2 = finish(h2);
  h1 = (h1 + h2) | 0;
  h2 = (h2 + h1) | 0;
  return (BigInt(h2 >>> 0) << 32n) | BigInt(h1 >>> 0);
}

const c1 = 0x239b961b;
const c2 = 0xab0e9789;

function mixFirst(word: number): number {
  return Math.imul(rotl(Math.imul(word, c1), 15), c2);
}

function mixSecond(word: number): number {
  return Math.imul(rotl(Math.imul(word, c2), 17), c1);
}

function finish(lane: number): number {
  let h = lane;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function rotl(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** Up to four bytes, the first one lowest. */
function readWord(data: Uint8Array, at: number, bytes: number): number {
  let word = 0;
  for (let byte = 0; byte < bytes; byte += 1) {
    word |= (data[at + byte] ?? 0) << (8 * byte);
  }
  return word;
}
