/** SHA-1, for identifiers only. The platform's own is asynchronous in a browser, and functions are not. */
export function sha1(data: Uint8Array): Uint8Array {
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  const schedule = new Uint32Array(80);
  const padded = pad(data);
  for (let block = 0; block < padded.byteLength; block += 64) {
    absorb(state, schedule, padded, block);
  }
  const digest = new DataView(new ArrayBuffer(20));
  state.forEach((word, index) => digest.setUint32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

/** The data, a one bit, zeros up to a whole block, and the length in bits at its end. */
function pad(data: Uint8Array): DataView {
  const size = Math.ceil((data.length + 9) / 64) * 64;
  const bytes = new Uint8Array(size);
  bytes.set(data);
  bytes[data.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(size - 8, BigInt(data.length) * 8n);
  return view;
}

function absorb(state: Uint32Array, schedule: Uint32Array, data: DataView, block: number): void {
  for (let t = 0; t < 16; t += 1) {
    schedule[t] = data.getUint32(block + t * 4);
  }
  for (let t = 16; t < 80; t += 1) {
    schedule[t] = rotl(
      word(schedule, t - 3) ^ word(schedule, t - 8) ^ word(schedule, t - 14) ^ word(schedule, t - 16),
      1,
    );
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let t = 0; t < 80; t += 1) {
    const next = (rotl(a, 5) + choose(t, b, c, d) + e + word(schedule, t)) | 0;
    e = d;
    d = c;
    c = rotl(b, 30);
    b = a;
    a = next;
  }
  [a, b, c, d, e].forEach((value, index) => {
    state[index] = word(state, index) + value;
  });
}

function choose(t: number, b: number, c: number, d: number): number {
  if (t < 20) {
    return ((b & c) | (~b & d)) + 0x5a827999;
  }
  if (t < 40) {
    return (b ^ c ^ d) + 0x6ed9eba1;
  }
  if (t < 60) {
    return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  }
  return (b ^ c ^ d) + 0xca62c1d6;
}

function word(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function rotl(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
