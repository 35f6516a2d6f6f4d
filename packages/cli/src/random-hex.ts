/** Bytes for ids that only have to differ, as text. Not for secrets: those need `node:crypto`, which takes 6 ms to load. */
export function randomHex(bytes: number): string {
  return Array.from({ length: bytes }, () =>
    Math.floor(Math.random() * 256)
      .toString(16)
      .padStart(2, "0"),
  ).join("");
}
