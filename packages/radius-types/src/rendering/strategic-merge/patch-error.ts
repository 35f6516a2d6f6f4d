/** The patch itself is wrong; the text says where and how. */
export class PatchError extends Error {
  override readonly name = "PatchError";
}
