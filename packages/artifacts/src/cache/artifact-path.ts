import { join } from "node:path";
import { artifactFolder } from "@rad/bicep";
import type { ArtifactKind, ArtifactReference } from "@rad/bicep";

/** The content of an artifact below a cache folder. */
export function artifactPath(cacheFolder: string, reference: ArtifactReference, kind: ArtifactKind): string {
  return join(cacheFolder, artifactFolder(reference), kind === "module" ? "main.json" : "types.tgz");
}
