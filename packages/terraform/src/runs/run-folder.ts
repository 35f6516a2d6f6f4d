import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { makeFolder } from "@rad/artifacts/files";
import { hostname } from "node:os";
import { processesIn } from "./processes.ts";

/**
 * A run's folders, which nobody else may enter:
 *
 * - the folder itself, with the journal; the supervisor works there
 * - `work`: the configuration; Terraform works there
 * - `home` and `tmp`: what a user's own would be
 */
export interface RunFolder {
  readonly path: string;
  readonly work: string;
  readonly home: string;
  readonly tmp: string;
}

/** Providers make sockets in the folder for temporary files, whose paths may have about 100 characters. */
const maxTemporaryPath = 80;

/** Folders of other machines on a shared volume are left alone for so long. */
const foreignMs = 48 * 3_600_000;
/** Younger folders may belong to a run that is just being opened. */
const youngMs = 60_000;

export async function createRunFolder(root: string): Promise<RunFolder> {
  await makeFolder(root);
  const path = join(root, `${hostPrefix()}${randomBytes(5).toString("hex")}`);
  await mkdir(path, { mode: 0o700 });
  const work = workFolderOf(path);
  const home = join(path, "home");
  const tmp = join(path, "tmp");
  await Promise.all([work, home, tmp].map(async (folder) => await mkdir(folder, { mode: 0o700 })));
  return { path, work, home, tmp: tmp.length > maxTemporaryPath ? "/tmp" : tmp };
}

export function workFolderOf(folder: string): string {
  return join(folder, "work");
}

/** @throws Error for a path that leads out of the folder, which would be a mistake of ours */
export async function writeRunFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = normalize(name);
    if (isAbsolute(path) || path.startsWith("..")) {
      throw new Error(`'${name}' is not a path below the folder of a run.`);
    }
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, content, { mode: 0o600 });
  }
}

export async function removeRunFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes folders that no record and no process needs any more. @param needed those of records */
export async function sweepRunFolders(
  root: string,
  needed: ReadonlySet<string>,
  now: number,
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of await readdir(root).catch(() => [])) {
    const path = join(root, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || !found.isDirectory() || needed.has(path)) {
      continue;
    }
    const ageMs = now - found.mtimeMs;
    const mayGo = name.startsWith(hostPrefix())
      ? ageMs > youngMs && (await processesIn(path)).length === 0
      : ageMs > foreignMs;
    if (mayGo) {
      await removeRunFolder(path);
      removed.push(path);
    }
  }
  return removed;
}

/** Tells machines apart that share a volume. */
function hostPrefix(): string {
  return `${createHash("sha256").update(hostname()).digest("hex").slice(0, 6)}-`;
}
