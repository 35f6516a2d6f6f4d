import { setTimeout as delay } from "node:timers/promises";
import { CliError, systemCode } from "../cli-error.ts";
import type { ServerRecord } from "./pid-file.ts";
import { findRunning, isRunning } from "./pid-file.ts";

export interface StopOptions {
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Kills a server that does not end in time. */
  readonly force: boolean;
}

const pollMs = 25;

/** Asks the server to end and waits until it has. Resolves to `undefined` when none was running. */
export async function stopServer(pidFile: string, options: StopOptions): Promise<ServerRecord | undefined> {
  const server = await findRunning(pidFile);
  if (server === undefined) {
    return undefined;
  }
  signalProcess(server, "SIGTERM");
  if (await hasEnded(server, options)) {
    return server;
  }
  if (!options.force) {
    throw new CliError(
      "StopTimeout",
      `The server (pid ${server.pid}) is still finishing its work. Wait, or use \`--force\` to kill it.`,
    );
  }
  signalProcess(server, "SIGKILL");
  await hasEnded(server, options);
  return server;
}

function signalProcess(server: ServerRecord, signal: NodeJS.Signals): void {
  try {
    process.kill(server.pid, signal);
  } catch (error) {
    const code = systemCode(error);
    if (code !== "ESRCH") {
      throw new CliError(
        "StopFailed",
        `The server (pid ${server.pid}) cannot be stopped (${code ?? "unknown error"}).`,
      );
    }
  }
}

async function hasEnded(server: ServerRecord, options: StopOptions): Promise<boolean> {
  const deadline = performance.now() + options.waitMs;
  while (await isRunning(server)) {
    options.signal.throwIfAborted();
    if (performance.now() > deadline) {
      return false;
    }
    await delay(pollMs);
  }
  return true;
}
