import { setTimeout as delay } from "node:timers/promises";
import { CliError, systemCode } from "../cli-error.ts";
import type { DataFolder } from "./data-folder.ts";
import { findServer, type FoundServer } from "./find-server.ts";

export interface StopOptions {
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Kills a server that does not end in time. */
  readonly force: boolean;
}

const pollMs = 25;

/** Asks the folder's server to end and waits until it has. Resolves to `undefined` when none was running. */
export async function stopServer(folder: DataFolder, options: StopOptions): Promise<FoundServer | undefined> {
  const server = await findServer(folder);
  if (server === undefined) {
    return undefined;
  }
  const { pid } = server;
  if (pid === undefined) {
    throw new CliError(
      "ServerUnknown",
      `A server runs with the data folder ${folder.path}, but its pid file ${folder.pidFile} does not tell which process it is. ` +
        `Find it, for example with \`fuser ${folder.serverLock}\`, and end it with \`kill\`.`,
    );
  }
  signalProcess(pid, "SIGTERM");
  if (await hasEnded(server, options)) {
    return server;
  }
  if (!options.force) {
    throw new CliError(
      "StopTimeout",
      `The server (pid ${pid}) is still finishing its work. Wait, or use \`--force\` to kill it.`,
    );
  }
  signalProcess(pid, "SIGKILL");
  if (!(await hasEnded(server, options))) {
    throw new CliError("StopFailed", `The server (pid ${pid}) was killed, but has not ended yet.`);
  }
  return server;
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const code = systemCode(error);
    if (code !== "ESRCH") {
      throw new CliError("StopFailed", `The server (pid ${pid}) cannot be stopped (${code ?? "unknown error"}).`);
    }
  }
}

async function hasEnded(server: FoundServer, options: StopOptions): Promise<boolean> {
  const deadline = performance.now() + options.waitMs;
  while (await server.isThere()) {
    options.signal.throwIfAborted();
    if (performance.now() > deadline) {
      return false;
    }
    await delay(pollMs);
  }
  return true;
}
