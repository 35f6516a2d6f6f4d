/** Random bytes as text. `node:crypto` takes 7 ms to load, which most command lines can do without: so it comes late. */
export function randomHex(bytes: number): string {
  return process.getBuiltinModule("node:crypto").randomBytes(bytes).toString("hex");
}
