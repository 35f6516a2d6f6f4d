import { glob, readdir, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { CliError, systemCode } from "../cli-error.ts";
import type { CliHost } from "../host.ts";

/**
 * The files that arguments name: files as they are, folders with every Bicep and parameters file below them, and
 * patterns such as `modules/*.bicep`. Each file comes once, in the order of the arguments.
 * @throws CliError for a folder or pattern without files
 */
export async function sourceFiles(host: CliHost, args: readonly string[]): Promise<readonly string[]> {
  const found = new Map<string, string>();
  for (const arg of args) {
    for (const file of await filesOf(host, arg)) {
      const path = resolve(host.cwd, file);
      if (!found.has(path)) {
        found.set(path, file);
      }
    }
  }
  return Array.from(found.values());
}

async function filesOf(host: CliHost, arg: string): Promise<readonly string[]> {
  const path = resolve(host.cwd, arg);
  const kind = await kindOf(path);
  if (kind === "folder") {
    const files = await filesBelow(path);
    return atLeastOne(
      files.map((file) => relative(host.cwd, file)),
      `${arg} contains no .bicep or .bicepparam files.`,
    );
  }
  if (kind === undefined && /[*?[{]/.test(arg)) {
    const matches: string[] = [];
    for await (const match of glob(arg, { cwd: host.cwd, exclude: isSkipped })) {
      if (isSource(match)) {
        matches.push(match);
      }
    }
    return atLeastOne(matches.toSorted(), `No .bicep or .bicepparam file matches ${arg}.`);
  }
  return [arg]; // reading it reports that it does not exist
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new CliError("FileUnreadable", `${folder} cannot be read (${systemCode(error) ?? "unknown error"}).`);
  });
  const files: string[] = [];
  for (const entry of entries.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !isSkipped(entry.name)) {
      files.push(...(await filesBelow(path)));
    } else if (entry.isFile() && isSource(entry.name)) {
      files.push(path);
    }
  }
  return files;
}

function atLeastOne(files: readonly string[], message: string): readonly string[] {
  if (files.length === 0) {
    throw new CliError("NoFiles", message);
  }
  return files;
}

function isSource(name: string): boolean {
  return /\.bicep(param)?$/i.test(name);
}

/** Dependencies and hidden folders. `.` and `..` are neither. */
function isSkipped(name: string): boolean {
  return name === "node_modules" || /^\.[^.]/.test(name);
}

async function kindOf(path: string): Promise<"file" | "folder" | undefined> {
  try {
    return (await stat(path)).isDirectory() ? "folder" : "file";
  } catch {
    return undefined;
  }
}
