import { mkdtemp, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { isLocked, lockFile, makeFolder } from "@rad/artifacts/files";

/** Called with lines for whoever waits. */
export type Report = (line: string) => void;

export interface Tool {
  /** `kube-test-server-1f2e3d`: everything that decides about the content is in the name. */
  readonly name: string;
  /** Fills a new, empty folder. */
  readonly make: (folder: string, report: Report) => Promise<void>;
}

const longestBuildMs = 3 * 60 * 60 * 1000;
const unusedMs = 60 * 24 * 60 * 60 * 1000;

/**
 * The folder of a tool, made once per machine and kept outside the repository: fresh clones find it there. Processes that
 * ask at the same time wait for the first one; a process that is killed leaves nothing that others take for complete.
 */
export async function cachedTool({ name, make }: Tool, report: Report = toStderr): Promise<string> {
  const cache = path.join(cacheHome(), "radius-ts");
  const folder = path.join(cache, name);
  if (await isThere(folder)) {
    await utimes(folder, new Date(), new Date());
    return folder;
  }
  await makeFolder(cache);
  const lock = path.join(cache, `${name}.lock`);
  if (await isLocked(lock)) {
    report(`Waiting for another process that makes ${name}`);
  }
  using _ = await lockFile(lock, { waitMs: longestBuildMs });
  if (await isThere(folder)) {
    return folder;
  }
  await removeLeftovers(cache, name);
  const fresh = await mkdtemp(path.join(cache, `new-${name}-`));
  try {
    await make(fresh, report);
    await rename(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return folder;
}

function cacheHome(): string {
  const named = process.env["XDG_CACHE_HOME"];
  return named === undefined || named === "" ? path.join(homedir(), ".cache") : named;
}

/** Removes what a killed process left of this tool, and what nobody has used for a long time. */
async function removeLeftovers(cache: string, tool: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const file = path.join(cache, name);
    const found = await stat(file).catch(() => undefined);
    const isOld = found !== undefined && Date.now() - found.mtimeMs > unusedMs && !name.endsWith(".lock");
    if (name.startsWith(`new-${tool}-`) || isOld) {
      await rm(file, { recursive: true, force: true });
    }
  }
}

async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}
