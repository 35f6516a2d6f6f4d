import { mkdir, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";

/** Short, so that a process that has used its share does not wait for long. */
const periodUs = 10_000;
const root = "/sys/fs/cgroup";

/** A control group in which processes get a share of a core. */
interface Group {
  readonly folder: string;
  /** The files that say so, with what to write into them. */
  readonly limits: Readonly<Record<string, string>>;
  /** Where processes go when it ends. */
  readonly parent: string;
}

/**
 * Gives a process a share of a core until it is disposed, as a container's CPU limit does. `undefined` where this system
 * or this user cannot have control groups.
 */
export async function limitCpu(pid: number, share: number): Promise<AsyncDisposable | undefined> {
  const quotaUs = Math.round(share * periodUs);
  const name = `rad-bench-${pid}`;
  const group: Group = (await exists(path.join(root, "cgroup.controllers")))
    ? { folder: path.join(root, name), limits: { "cpu.max": `${quotaUs} ${periodUs}` }, parent: root }
    : {
        folder: path.join(root, "cpu", name),
        limits: { "cpu.cfs_period_us": `${periodUs}`, "cpu.cfs_quota_us": `${quotaUs}` },
        parent: path.join(root, "cpu"),
      };
  try {
    await mkdir(group.folder);
  } catch {
    return undefined;
  }
  try {
    for (const [file, limit] of Object.entries(group.limits)) {
      await writeFile(path.join(group.folder, file), limit, { flag: "r+" }); // one that is not there is not made
    }
    await writeFile(path.join(group.folder, "cgroup.procs"), `${pid}`, { flag: "r+" });
  } catch {
    await rmdir(group.folder);
    return undefined;
  }
  return {
    [Symbol.asyncDispose]: async () => {
      await writeFile(path.join(group.parent, "cgroup.procs"), `${pid}`);
      await rmdir(group.folder);
    },
  };
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
