import { lstat, rename } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "@rad/artifacts/files";
import { InstallError } from "../install-error.ts";
import { entryOf } from "../release/release-layout.ts";
import { folderOf } from "./binary-folder.ts";
import type { BinaryName } from "./binary-folder.ts";
import { manifestName, readLooseManifest } from "./manifest.ts";

/** The folder with a binary and its manifest, inside of a temporary one. */
export const packageName = "package";

/**
 * Moves a finished binary and its manifest to their place. A new version appears whole, by one rename. One that is there
 * already, perhaps active, is replaced file by file: the binary is one complete file or the other at every instant, and
 * `finishPlacing` brings the manifest if the process dies between the two.
 */
export async function placeBinary(root: string, temporary: string, name: BinaryName): Promise<void> {
  const from = join(temporary, packageName);
  const folder = join(root, folderOf(name));
  await syncFolder(from);
  if (await isFolder(folder)) {
    await rename(join(from, entryOf(name.product)), join(folder, entryOf(name.product)));
    await rename(join(from, manifestName), join(folder, manifestName));
    await syncFolder(folder);
  } else {
    await rename(from, folder);
  }
  await syncFolder(root);
}

/** Does what is left of `placeBinary` after its process died, by what lies in its temporary folder. */
export async function finishPlacing(root: string, temporary: string): Promise<void> {
  const from = join(temporary, packageName);
  const manifest = await readLooseManifest(from);
  // Binaries are written before manifests, so one that is missing was moved.
  if (manifest === undefined || (await exists(join(from, entryOf(manifest.product))))) {
    return;
  }
  const folder = join(root, folderOf(manifest));
  if (await isFolder(folder)) {
    await rename(join(from, manifestName), join(folder, manifestName));
    await syncFolder(folder);
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) {
    throw new InstallError("VolumeUnusable", `${path} is not a folder, but must be one. Remove it and install again.`);
  }
  return found !== undefined;
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
