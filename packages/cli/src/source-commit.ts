import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type CliVersion, cliVersion, isBundled } from "./version.ts";

/** What this program is: a build knows its commit, and the sources of a clone have git's files. */
export function shownVersion(): CliVersion {
  return isBundled ? cliVersion : { ...cliVersion, commit: sourceCommit() ?? cliVersion.commit };
}

/** The commit that a clone is at, read from git's own files; `undefined` outside of one. */
export function sourceCommit(folder = dirname(fileURLToPath(import.meta.url))): string | undefined {
  const git = gitFolder(folder);
  const head = git === undefined ? undefined : read(join(git, "HEAD"));
  if (git === undefined || head === undefined) {
    return undefined;
  }
  const ref = /^ref: (.+)$/.exec(head)?.[1];
  if (ref === undefined) {
    return asCommit(head);
  }
  // Branches of a worktree are in the folder of the clone that it belongs to.
  const common = resolve(git, read(join(git, "commondir")) ?? ".");
  const packed = read(join(common, "packed-refs"))?.split("\n") ?? [];
  return asCommit(read(join(common, ref)) ?? packed.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0]);
}

/** The nearest `.git` upwards; in a worktree it is a file that says where the folder is. */
function gitFolder(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    const git = join(current, ".git");
    if (read(join(git, "HEAD")) !== undefined) {
      return git;
    }
    const elsewhere = /^gitdir: (.+)$/.exec(read(git) ?? "")?.[1];
    if (elsewhere !== undefined) {
      return resolve(current, elsewhere);
    }
    if (dirname(current) === current) {
      return undefined;
    }
  }
}

function asCommit(text: string | undefined): string | undefined {
  return text !== undefined && /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trimEnd();
  } catch {
    return undefined; // there is no such file, or it is none of ours
  }
}
