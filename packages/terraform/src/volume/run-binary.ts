import { spawn } from "node:child_process";
import { Buffer } from "node:buffer";
import { setTimeout as delay } from "node:timers/promises";
import { InstallError } from "../install-error.ts";

export interface RunOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const maxOutputBytes = 1 << 20;
const maxReasonLength = 200;
/** A process that was forked elsewhere at the wrong moment may hold the new file open for writing until its own exec. */
const busyRetries = 20;
const busyRetryMs = 25;

/**
 * Runs a binary that nobody trusts yet: without our environment, which has secrets, outside of any folder of ours, with
 * limits. Whatever it starts ends with it. @returns what it printed
 * @throws InstallError `BinaryRefused`; the reason of `signal`
 */
export async function runBinary(path: string, args: readonly string[], options: RunOptions): Promise<string> {
  for (let busy = 0; ; busy += 1) {
    try {
      return await runOnce(path, args, options);
    } catch (error) {
      const code = systemCodeOf(error);
      if (code === "ETXTBSY" && busy < busyRetries) {
        await delay(busyRetryMs);
      } else if (code === undefined) {
        throw error;
      } else {
        throw refused(`cannot be run (${code}${hintFor(code)})`, error);
      }
    }
  }
}

async function runOnce(path: string, args: readonly string[], { timeoutMs, signal }: RunOptions): Promise<string> {
  signal?.throwIfAborted();
  const child = spawn(path, args, {
    cwd: "/",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/nonexistent", CHECKPOINT_DISABLE: "1", LC_ALL: "C" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // a process group, so that all of it can be ended
  });
  let problem: Error | undefined;
  const end = (why?: Error): void => {
    problem ??= why;
    killGroup(child.pid);
  };
  const output = collect(child.stdout, () => end(refused(`prints more than ${maxOutputBytes} bytes`)));
  const errors = collect(child.stderr, () => {});
  const timer = setTimeout(() => end(refused(`does not end within ${timeoutMs / 1000} seconds`)), timeoutMs);
  const abort = (): void => end();
  signal?.addEventListener("abort", abort);
  try {
    const [code, killedBy] = await new Promise<[number | null, string | null]>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", () => killGroup(child.pid)); // what it left running may keep its output open
      child.once("close", (status, name) => resolve([status, name]));
    });
    signal?.throwIfAborted();
    if (problem !== undefined) {
      throw problem;
    }
    if (code !== 0) {
      const how = killedBy === null ? `exit code ${code}` : `signal ${killedBy}`;
      throw refused(`ends with ${how}${firstLine(errors())}`);
    }
    return output().toString("utf8");
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** @returns what arrived so far, within the limit */
function collect(stream: NodeJS.ReadableStream, onOverflow: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes <= maxOutputBytes) {
      chunks.push(chunk);
    } else {
      onOverflow();
    }
  });
  return () => Buffer.concat(chunks);
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) {
      process.kill(-pid, "SIGKILL");
    }
  } catch {
    // It has ended already.
  }
}

function firstLine(errors: Buffer): string {
  const line = /[^\r\n]*\S[^\r\n]*/u.exec(errors.toString("utf8"))?.[0].trim() ?? "";
  return line === "" ? "" : `: ${line.length > maxReasonLength ? `${line.slice(0, maxReasonLength)}…` : line}`;
}

function hintFor(code: string): string {
  const hints: Readonly<Record<string, string>> = {
    EACCES: ": the volume may be mounted with noexec",
    ENOENT: ": the program's interpreter or loader is missing on this machine",
  };
  return hints[code] ?? "";
}

function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "syscall" in error && "code" in error ? String(error.code) : undefined;
}

function refused(why: string, cause?: unknown): InstallError {
  return new InstallError("BinaryRefused", `The binary ${why}.`, cause === undefined ? {} : { cause });
}
