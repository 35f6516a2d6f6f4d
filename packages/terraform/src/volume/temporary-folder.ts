import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ArtifactError } from "@rad/artifacts";
import { lockFile, makeFolder } from "@rad/artifacts/files";
import { InstallError } from "../install-error.ts";

/** Everything unfinished lies below this folder of the root. */
const temporaryName = ".temporary";

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * A folder of this process on the volume, which goes away with all it holds when it is disposed. Beside it lies a file
 * that is locked as long as the process lives: that is how others tell it from what a dead process left. Nobody waits
 * for such a lock, so a process that hangs holds up no other.
 */
export async function createTemporaryFolder(root: string): Promise<TemporaryFolder> {
  const base = join(root, temporaryName);
  await makeFolder(base);
  await checkBase(base);
  for (;;) {
    const path = join(base, randomUUID());
    const lock = await lockFile(lockOf(path));
    // Between creation and lock somebody may have taken the file for one that a dead process left.
    if (await exists(lockOf(path))) {
      return await folderUnder(lock, path);
    }
    lock[Symbol.dispose]();
  }
}

/**
 * Removes what dead processes left.
 * @param finish gets each folder before it goes
 */
export async function removeAbandoned(root: string, finish: (folder: string) => Promise<void>): Promise<void> {
  const base = join(root, temporaryName);
  if (!(await exists(base))) {
    return;
  }
  await checkBase(base);
  const names = await readdir(base);
  for (const name of new Set(names.map((name) => name.replace(/\.lock$/u, "")))) {
    const path = join(base, name);
    using lock = await lockIfAbandoned(path);
    if (lock !== undefined) {
      await finish(path);
      await rm(path, { recursive: true, force: true });
      await rm(lockOf(path), { force: true });
    }
  }
}

async function folderUnder(lock: Disposable, path: string): Promise<TemporaryFolder> {
  const release = async (): Promise<void> => {
    try {
      await rm(path, { recursive: true, force: true });
      await rm(lockOf(path), { force: true });
    } catch {
      // The next repair tries again; why the work failed matters more.
    } finally {
      lock[Symbol.dispose]();
    }
  };
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    await release();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: release };
}

async function lockIfAbandoned(path: string): Promise<Disposable | undefined> {
  try {
    return await lockFile(lockOf(path), { waitMs: -1 });
  } catch (error) {
    if (error instanceof ArtifactError && error.code === "Locked") {
      return undefined;
    }
    throw error;
  }
}

function lockOf(path: string): string {
  return `${path}.lock`;
}

/** A link would lead our files to somewhere else. */
async function checkBase(base: string): Promise<void> {
  if (!(await lstat(base)).isDirectory()) {
    throw new InstallError("VolumeUnusable", `${base} is not a folder, but must be one. Remove it and install again.`);
  }
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
