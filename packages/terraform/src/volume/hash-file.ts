import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

const batchBytes = 1 << 20;

/** SHA-256 of a file, read in pieces between which other work goes on. */
export async function hashFile(path: string): Promise<string> {
  await using file = await open(path, "r");
  const hash = createHash("sha256");
  const batch = Buffer.allocUnsafe(batchBytes);
  for (;;) {
    const { bytesRead } = await file.read(batch, 0, batchBytes, null);
    if (bytesRead === 0) {
      return hash.digest("hex");
    }
    hash.update(batch.subarray(0, bytesRead));
  }
}
