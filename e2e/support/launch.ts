import { spawn } from "node:child_process";
import type { ChildProcess, ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";

export interface Launched {
  readonly child: ChildProcess;
  /** What the program said when it was ready: its first line on standard output, as JSON. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** Everything it has written so far, to standard output and standard error. */
  readonly output: () => string;
}

export interface LaunchOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Files that are loaded before the program; they can talk to this process by messages. */
  readonly preload?: readonly string[];
}

/** Starts a TypeScript program and waits until it says that it is ready. */
export async function launch(
  script: string,
  args: readonly string[],
  { env = {}, preload = [] }: LaunchOptions = {},
): Promise<Launched> {
  const imports = preload.map((file) => `--import=${pathToFileURL(file).href}`);
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...imports, script, ...args], {
    stdio: preload.length === 0 ? ["ignore", "pipe", "pipe"] : ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, ...env },
  }) as ChildProcessByStdio<null, Readable, Readable>;
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
