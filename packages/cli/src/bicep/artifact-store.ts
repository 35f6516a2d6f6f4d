import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { artifactFolder } from "@rad/bicep";
import type { ArtifactKind, ArtifactReference } from "@rad/bicep";
import { lockFile } from "../config/file-lock.ts";
import { artifactPath } from "./disk-host.ts";

export interface ArtifactContent {
  readonly content: Uint8Array;
  readonly manifest: Uint8Array;
  readonly manifestDigest: string;
}

/**
 * Puts an artifact where every Bicep compiler looks for it. Several processes may restore the same one: they take
 * turns, and the content appears last and whole, so that a reader sees all of it or nothing.
 */
export async function storeArtifact(
  target: { readonly cacheFolder: string; readonly reference: ArtifactReference; readonly kind: ArtifactKind },
  artifact: ArtifactContent,
  signal: AbortSignal,
): Promise<void> {
  const folder = join(target.cacheFolder, artifactFolder(target.reference));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  using _lock = await lockFile(join(folder, "lock"), { signal });
  await writeWhole(join(folder, "manifest"), artifact.manifest);
  const metadata = JSON.stringify({ manifestDigest: artifact.manifestDigest });
  await writeWhole(join(folder, "metadata"), new TextEncoder().encode(metadata));
  await writeWhole(artifactPath(target.cacheFolder, target.reference, target.kind), artifact.content);
}

async function writeWhole(path: string, content: Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.new-${randomBytes(6).toString("hex")}`);
  try {
    await using file = await open(temporary, "wx", 0o600);
    await file.writeFile(content);
    await file.sync();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
