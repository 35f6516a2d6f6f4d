import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder of the user's own, and those above it. Node's recursive mkdir never returns where the parent exists and
 * still refuses with ENOENT, as `/proc` does.
 */
export async function makeFolder(path: string): Promise<void> {
  const folder = resolve(path);
  if (await isFolder(folder)) {
    return;
  }
  if (dirname(folder) !== folder) {
    await makeFolder(dirname(folder));
  }
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same time may have been faster.
    if (!(await isFolder(folder))) {
      throw error;
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
