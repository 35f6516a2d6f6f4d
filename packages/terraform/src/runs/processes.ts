import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";

/** A process that can be told from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** Where process numbers mean the same: a boot of a machine, and in it a container. */
export interface Machine {
  readonly host: string;
  readonly id: string;
}

const run = promisify(execFile);

export async function thisMachine(): Promise<Machine> {
  const host = hostname();
  const [boot, namespace] = await Promise.all([
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => undefined),
    readlink("/proc/self/ns/pid").catch(() => ""),
  ]);
  return { host, id: `${host}/${(boot ?? (await bootTime())).trim()}/${namespace}` };
}

/** `undefined` when there is no such process. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const startTime = await startTimeOf(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

export async function isAlive({ pid, startTime }: ProcessIdentity): Promise<boolean> {
  return (await startTimeOf(pid)) === startTime;
}

/** Sends a signal; nothing happens when the process has ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/**
 * Processes that work in a folder: Terraform and its providers do, whoever started them. Nobody else does, since only
 * we may enter it.
 */
export async function processesIn(folder: string): Promise<readonly number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/u.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const place = await readlink(`/proc/${pid}/cwd`).catch(() => "");
      return place === folder || place.startsWith(`${folder}/`) || place === `${folder} (deleted)` ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may contain anything; the 20th field after it is the time.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return process.platform === "linux" ? undefined : await startTimeByPs(pid);
  }
}

async function startTimeByPs(pid: number): Promise<string | undefined> {
  const found = await run("ps", ["-o", "lstart=", "-p", String(pid)]).catch(() => undefined);
  const text = found?.stdout.trim() ?? "";
  return text === "" ? undefined : text;
}

async function bootTime(): Promise<string> {
  const found = await run("sysctl", ["-n", "kern.boottime"]).catch(() => undefined);
  return found?.stdout ?? "";
}
