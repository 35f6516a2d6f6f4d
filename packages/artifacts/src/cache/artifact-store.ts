import { join } from "node:path";
import { artifactFolder } from "@rad/bicep";
import type { ArtifactKind, ArtifactReference } from "@rad/bicep";
import { createNewFile, removeLeftovers } from "../files/atomic-file.ts";
import { lockFile } from "../files/file-lock.ts";
import { artifactPath } from "./artifact-path.ts";

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
  using _lock = await lockFile(join(folder, "lock"), { signal });
  const files: readonly (readonly [path: string, content: string | Uint8Array])[] = [
    [join(folder, "manifest"), artifact.manifest],
    [join(folder, "metadata"), JSON.stringify({ manifestDigest: artifact.manifestDigest })],
    [artifactPath(target.cacheFolder, target.reference, target.kind), artifact.content],
  ];
  for (const [path, content] of files) {
    await removeLeftovers(path);
    // A link in this place is replaced, not followed: files that are compiled may have chosen the folder.
    await using file = await createNewFile(path, 0o600);
    await file.handle.writeFile(content);
    await file.commit({ sync: true });
  }
}
