import { lstat, readlink, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "@rad/artifacts/files";
import { linkTargetOf, nameOfLinkTarget } from "./binary-folder.ts";
import type { BinaryName } from "./binary-folder.ts";

export type LinkName = "current" | "previous";

/** Which binary a link names, whether or not it is there. */
export async function readActiveLink(root: string, link: LinkName): Promise<BinaryName | undefined> {
  const target = await readlink(join(root, link)).catch(() => undefined); // not there, or not a link of ours
  return target === undefined ? undefined : nameOfLinkTarget(target);
}

/**
 * Makes `current` lead to a binary, and `previous` to the one before. `previous` comes first: a process that dies
 * between the two leaves both on the old binary, and repeating the call ends as it should.
 * @param temporary a folder of this process on the same volume
 */
export async function switchLinks(root: string, temporary: string, to: BinaryName): Promise<void> {
  const before = await readActiveLink(root, "current");
  if (before !== undefined && linkTargetOf(before) === linkTargetOf(to)) {
    return;
  }
  const isKept = before !== undefined && (await leadsSomewhere(root, "current"));
  if (isKept) {
    await setLink(root, temporary, "previous", before);
  }
  await setLink(root, temporary, "current", to);
  const previous = await readActiveLink(root, "previous");
  if (previous !== undefined && linkTargetOf(previous) === linkTargetOf(to)) {
    await rm(join(root, "previous"), { force: true });
  } else if (isKept && previous === undefined) {
    await setLink(root, temporary, "previous", before); // a repair by another process took the link for a leftover
  }
  await syncFolder(root);
}

/** Nobody runs a binary through `current` any more once this resolves. */
export async function removeLinks(root: string): Promise<void> {
  await rm(join(root, "current"), { force: true });
  await rm(join(root, "previous"), { force: true });
  await syncFolder(root);
}

export async function removeLink(root: string, link: LinkName): Promise<void> {
  await rm(join(root, link), { force: true });
  await syncFolder(root);
}

/** Removes links that lead nowhere, and a `previous` that a dead process left on the current binary. */
export async function repairLinks(root: string): Promise<void> {
  for (const link of ["current", "previous"] as const) {
    if ((await isLink(root, link)) && !(await leadsSomewhere(root, link))) {
      await removeLink(root, link);
    }
  }
  const [current, previous] = [await readActiveLink(root, "current"), await readActiveLink(root, "previous")];
  if (current !== undefined && previous !== undefined && linkTargetOf(current) === linkTargetOf(previous)) {
    await removeLink(root, "previous");
  }
}

async function setLink(root: string, temporary: string, link: LinkName, to: BinaryName): Promise<void> {
  const fresh = join(temporary, link);
  await rm(fresh, { force: true });
  await symlink(linkTargetOf(to), fresh);
  await rename(fresh, join(root, link));
}

async function isLink(root: string, link: LinkName): Promise<boolean> {
  return await lstat(join(root, link)).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

/** Whether the binary that a link of ours names is there. */
async function leadsSomewhere(root: string, link: LinkName): Promise<boolean> {
  const name = await readActiveLink(root, link);
  return (
    name !== undefined &&
    (await lstat(join(root, linkTargetOf(name))).then(
      (found) => found.isFile(),
      () => false,
    ))
  );
}
