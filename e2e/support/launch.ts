import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Launched {
  readonly child: ChildProcess;
  /** What the program said when it was ready: its first line on standard output, as JSON. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** Everything it has written so far, to standard output and standard error. */
  readonly output: () => string;
}

/** Starts a TypeScript program and waits until it says that it is ready. */
export async function launch(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Launched> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let output = "";
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const line = await Promise.race([once(createInterface(child.stdout), "line"), once(child, "exit").then(() => [])]);
  if (line.length === 0) {
    throw new Error(`${script} ended before it was ready:\n${output}`);
  }
  return { child, ready: JSON.parse(String(line[0])) as Record<string, unknown>, output: () => output };
}
