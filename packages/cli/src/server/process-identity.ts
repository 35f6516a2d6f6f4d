import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { systemCode } from "../cli-error.ts";

/**
 * Something that stays the same for the life of a process and differs for any other that gets its pid later: the
 * moment it started. `undefined` when there is no such process.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) {
    return undefined;
  }
  return process.platform === "linux" ? linuxStart(pid) : psStart(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM"; // somebody else's, but alive
  }
}

async function linuxStart(pid: number): Promise<string | undefined> {
  try {
    const [stat, bootId] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "utf8"),
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
    ]);
    // The second field is the program's name in parentheses, which may itself hold blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", startTime = ""] = [fields[0], fields[19]];
    return state === "Z" ? undefined : `${bootId.trim()}/${startTime}`;
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ESRCH") {
      return undefined;
    }
    throw error;
  }
}

async function psStart(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-p", String(pid), "-o", "lstart="]);
    return stdout.trim() === "" ? undefined : stdout.trim();
  } catch {
    return undefined; // ps says "no such process" by failing
  }
}
