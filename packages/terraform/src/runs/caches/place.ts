import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, rename, rm, stat, symlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Begins the name of what is not complete yet. */
const unfinished = ".new-";

/** A name beside `target` that no other process uses. */
export function temporaryBeside(target: string): string {
  return join(dirname(target), `${unfinished}${randomBytes(6).toString("hex")}`);
}

/**
 * Moves a folder to its place. Whoever comes second keeps what is there.
 * @returns whether it was this one
 */
export async function placeFolder(from: string, target: string): Promise<boolean> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  try {
    await rename(from, target);
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && ["ENOTEMPTY", "EEXIST", "EPERM"].includes(String(error.code)))) {
      throw error;
    }
    return false;
  }
}

/** Replaces whatever has this name by a link, at once. */
export async function placeLink(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = temporaryBeside(path);
  await symlink(target, temporary);
  await rename(temporary, path);
}

/** Entries that have not been used since `before`, and what killed processes left, go. */
export async function sweepEntries(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < before) {
      const away = temporaryBeside(path);
      await rename(path, away).catch(() => {}); // nobody finds half of it
      await makeWritable(away);
      await rm(away, { recursive: true, force: true });
    }
  }
}

/** An entry that is used stays. */
export async function touch(path: string, now: Date): Promise<void> {
  await utimes(path, now, now).catch(() => {}); // it may just have been removed
}

async function makeWritable(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  await chmod(folder, 0o700).catch(() => {});
  for (const entry of entries.filter((found) => found.isDirectory())) {
    await chmod(join(entry.parentPath, entry.name), 0o700).catch(() => {});
  }
}
