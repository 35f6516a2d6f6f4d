import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A program of the tests, in a process of its own that can be killed. */
export interface TestProcess extends AsyncDisposable {
  readonly pid: number;
  /** The next line it prints, parsed; rejects when it ends first. */
  nextLine(): Promise<unknown>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export function startTestProcess(
  script: URL,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): TestProcess {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    nextLine: async () => {
      const { value, done } = await lines.next();
      if (done === true) {
        throw new Error("The process ended without saying more.");
      }
      return JSON.parse(value) as unknown;
    },
    kill: (signal) => end(child, signal),
    [Symbol.asyncDispose]: () => end(child, "SIGKILL"),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const closed = once(child, "close");
    child.kill(signal);
    await closed;
  }
}
