import { open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { systemCode } from "../system-code.ts";
import { makeFolder } from "./make-folder.ts";

export interface WriteFileOptions {
  /** Permissions of a new file; an existing one keeps its own unless `forceMode` is set. */
  readonly mode: number;
  readonly forceMode?: boolean;
}

/** A file that appears under its name whole, or not at all. Whatever happens, it is to be disposed. */
export interface NewFile extends AsyncDisposable {
  readonly handle: FileHandle;
  /** Gives the content its name. A reader, and with `sync` a crash at any instant, sees the old content or the new. */
  commit(options: { readonly sync: boolean }): Promise<void>;
}

/**
 * Replaces a file's content so that a reader, and a crash at any instant, sees the old content or the new. A symbolic
 * link stays one: its target is replaced.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  options: WriteFileOptions,
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const current = await stat(target).catch(() => undefined);
  const mode = current === undefined || options.forceMode === true ? options.mode : current.mode & 0o777;
  await using file = await createNewFile(target, mode);
  await file.handle.writeFile(content);
  await file.commit({ sync: true });
}

/** Begins a file beside the place where it will be. */
export async function createNewFile(target: string, mode: number): Promise<NewFile> {
  const folder = dirname(target);
  await makeFolder(folder);
  // Two writers should not choose the same name; whoever guesses one gains nothing, since the file is created anew.
  const temporary = join(folder, `${temporaryPrefix(target)}${Math.random().toString(36).slice(2)}`);
  const handle = await open(temporary, "wx", mode);
  let isDone = false;
  return {
    handle,
    commit: async ({ sync }) => {
      await handle.chmod(mode); // the umask may have taken bits away
      if (sync) {
        await handle.sync();
      }
      await rename(temporary, target);
      isDone = true;
      if (sync) {
        await syncFolder(folder);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await handle.close();
      if (!isDone) {
        await rm(temporary, { force: true });
      }
    },
  };
}

/** Removes what a killed writer left beside `path`. Only for the holder of the lock on it. */
export async function removeLeftovers(path: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const names = await readdir(dirname(target)).catch(() => []);
  for (const name of names.filter((name) => name.startsWith(temporaryPrefix(target)))) {
    await rm(join(dirname(target), name), { force: true });
  }
}

function temporaryPrefix(target: string): string {
  return `.${basename(target)}.new-`;
}

/** Makes renames, new and removed names in a folder survive a crash. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder, "r");
    await handle.sync();
  } catch (error) {
    // Windows does not open folders; there the rename itself is durable enough.
    if (!["EISDIR", "EPERM", "EINVAL"].includes(systemCode(error) ?? "")) {
      throw error;
    }
  }
}
