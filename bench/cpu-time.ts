import { readFile } from "node:fs/promises";

/** Linux counts CPU time for /proc in these, whatever its own clock does. */
const ticksPerSecond = 100;

/** CPU seconds of a process and all that it has started, those that have ended and were waited for included. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat === undefined) {
    return 0; // ended between two looks; its parent counts it from now on
  }
  // The name in parentheses may hold anything. After it comes the state; utime, stime, cutime and cstime follow eleven later.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "")).split(" ");
  const ofChildren = await Promise.all(
    children.filter((child) => child !== "").map((child) => cpuSeconds(Number(child))),
  );
  return ofChildren.reduce((sum, seconds) => sum + seconds, ticks / ticksPerSecond);
}
