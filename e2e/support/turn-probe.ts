// Loaded into a server before its own code (node --import): measures the CPU time of the main thread between two turns of
// the event loop. The parent process says `begin`, and `end` to be told the longest.
import { garbageCollector } from "@rad/artifacts/garbage";

export interface TurnReport {
  /** CPU time of the longest turn. */
  readonly longestMs: number;
  /** What a fixed amount of work takes here, now: a slow machine is slow at both. */
  readonly calibrationMs: number;
  /** Memory of the process once its garbage is collected. */
  readonly rssMb: number;
}

/** Often enough to see every turn that matters, and rare enough not to be work of its own. */
const everyMs = 1;

const collect = garbageCollector();
let timer: NodeJS.Timeout | undefined;
let longestMs = 0;
let last = 0;
let calibrationMs = 0;

process.on("message", (message) => {
  if (message === "begin") {
    calibrationMs ||= calibrate();
    longestMs = 0;
    last = cpuMs();
    look();
  } else if (message === "end") {
    look();
    clearTimeout(timer);
    collect({ type: "major", execution: "sync" });
    const report: TurnReport = { longestMs, calibrationMs, rssMb: process.memoryUsage.rss() / 2 ** 20 };
    process.send?.(report);
  }
});
process.channel?.unref(); // the server may end while its parent could still ask

function look(): void {
  const now = cpuMs();
  longestMs = Math.max(longestMs, now - last);
  last = now;
  clearTimeout(timer);
  timer = setTimeout(look, everyMs).unref(); // a server whose parent has died can end
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The median of several runs, as one of them may meet a compiler or a garbage collection. */
function calibrate(): number {
  const runs = Array.from({ length: 7 }, () => {
    const before = cpuMs();
    fixedWork();
    return cpuMs() - before;
  });
  return runs.toSorted((a, b) => a - b)[3] ?? 0;
}

/** Texts and small objects, as in the work of a server. */
function fixedWork(): number {
  let sum = 0;
  const seen = new Map<string, number>();
  for (let index = 0; index < 60_000; index += 1) {
    const key = `key-${index % 5_000}`;
    seen.set(key, (seen.get(key) ?? 0) + index);
    sum += JSON.stringify({ key, index }).length;
  }
  return sum + seen.size;
}
