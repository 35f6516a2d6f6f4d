import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ConfigOverrides } from "../../config/index.ts";
import { type ApiCalls, createApiCalls } from "../../testing/api-calls.ts";

export interface ChildOptions {
  readonly overrides: ConfigOverrides;
  /** No file that it writes may grow beyond this, as if the disk were full then. */
  readonly maxFileBytes?: number;
}

export interface ChildServer extends ApiCalls, AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** What it has written to standard error so far. */
  readonly log: string;
  /** What it keeps in memory at the moment. */
  residentBytes(): Promise<number>;
  liftFileLimit(): Promise<void>;
  /** Sends the signal and waits until the process is gone. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** Why a server did not start. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** @throws Error when it does not start. */
export async function startChildServer(options: ChildOptions): Promise<ChildServer> {
  const { child, said, log } = await launch(options);
  const { url, tokenFile } = said as { readonly url?: string; readonly tokenFile?: string };
  if (url === undefined || tokenFile === undefined) {
    throw new Error(`The server did not start: ${JSON.stringify(said)}\n${log()}`);
  }
  const token = (await readFile(tokenFile, "utf8")).trim();
  return {
    ...createApiCalls(url, token),
    url,
    token,
    get log() {
      return log();
    },
    residentBytes: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8");
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
    },
    liftFileLimit: async () => {
      await promisify(execFile)("prlimit", ["--pid", String(child.pid), "--fsize=unlimited"]);
    },
    end: (signal) => end(child, signal),
    [Symbol.asyncDispose]: () => end(child, "SIGKILL"),
  };
}

export async function refusalOfChildServer(options: ChildOptions): Promise<Refusal> {
  const { child, said } = await launch(options);
  await end(child, "SIGKILL");
  return said as Refusal;
}

async function launch({ overrides, maxFileBytes }: ChildOptions): Promise<{
  readonly child: ChildProcess;
  readonly said: unknown;
  readonly log: () => string;
}> {
  const script = fileURLToPath(new URL("./child-program.ts", import.meta.url));
  const program = [process.execPath, script, JSON.stringify(overrides)];
  const limit = maxFileBytes === undefined ? [] : ["prlimit", `--fsize=${maxFileBytes}:unlimited`];
  const [command = "", ...args] = [...limit, ...program];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  for await (const line of createInterface({ input: child.stdout })) {
    return { child, said: JSON.parse(line), log: () => log };
  }
  throw new Error(`The process ended without a word:\n${log}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }
}
