import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, open, rename, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { resolve } from "node:path";
import { askReadiness, type Readiness } from "@rad/client";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { lockFile, makeFolder } from "@rad/artifacts/files";
import type { CliHost } from "../host.ts";
import { isBundled } from "../version.ts";
import type { DataFolder } from "./data-folder.ts";
import { dataFolder } from "./data-folder.ts";
import { findServer, type FoundServer } from "./find-server.ts";
import type { ServerFlags } from "./run-server.ts";
import { parsePort } from "./run-server.ts";

/** A server that says where it listens. */
export type ReadyServer = FoundServer & { readonly pid: number; readonly url: string };

export interface StartResult {
  readonly server: ReadyServer;
  readonly alreadyRunning: boolean;
}

const startTimeoutMs = 60_000;
const pollMs = 25;
const maxLogBytes = 10_000_000;

/** Starts a server that outlives this process, and resolves when it answers. One that runs already is left alone. */
export async function startDetached(context: CommandContext, flags: ServerFlags): Promise<StartResult> {
  const { host } = context;
  const folder = dataFolder(host, flags.data);
  if (flags.port !== undefined) {
    parsePort(flags.port);
  }
  using _ = await lockFile(folder.startLock, { waitMs: startTimeoutMs, signal: host.signal });
  const running = await findUsable(host, folder);
  if (running !== undefined) {
    requirePort(running.url, flags.port);
    requireConfiguration(running, flags.configFile === undefined ? undefined : resolve(host.cwd, flags.configFile));
    return { server: running, alreadyRunning: true };
  }
  return { server: await launch(host, folder, flags), alreadyRunning: false };
}

/** A script that asked for a port must not go on believing that it got it. */
function requirePort(url: string, wanted: string | undefined): void {
  const { port, protocol } = new URL(url);
  const usual = protocol === "https:" ? 443 : 80;
  const isOther = wanted !== undefined && Number(wanted) !== 0 && Number(wanted) !== Number(port || usual);
  if (isOther) {
    throw new CliError(
      "ServerRunning",
      `The control plane is running already at ${url}. Run \`rad server stop\` first to start it on another port.`,
    );
  }
}

function requireConfiguration(running: ReadyServer, wanted: string | undefined): void {
  if (wanted !== undefined && running.flags?.configFile !== wanted) {
    throw new CliError(
      "ServerRunning",
      `The control plane is running already at ${running.url}, with ${running.flags?.configFile ?? "no configuration file"}. Run \`rad server stop\` first, or use \`--data\` for a second one.`,
    );
  }
}

/** A server that is there but does not answer is starting or stopping; which of them takes a moment to see. */
async function findUsable(host: CliHost, folder: DataFolder): Promise<ReadyServer | undefined> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const running = await findServer(folder);
    if (running === undefined || running.flags === undefined) {
      return undefined; // where another program has the database, the start says so
    }
    const { ready, reason } = await readinessOf(running);
    if (isAnnounced(running) && ready) {
      return running;
    }
    if (performance.now() > deadline) {
      throw new CliError(
        "ServerNotReady",
        `A server runs (pid ${running.pid}) but is not ready${because(reason)}. Its log is ${folder.logFile}.`,
      );
    }
    host.signal.throwIfAborted();
    await delay(pollMs);
  }
}

function isAnnounced(server: FoundServer | undefined): server is ReadyServer {
  return server?.url !== undefined && server.pid !== undefined;
}

async function readinessOf(server: FoundServer | undefined): Promise<Readiness> {
  return server?.url === undefined ? { ready: false } : await askReadiness(server.url);
}

function because(reason: string | undefined): string {
  return reason === undefined ? "" : `: ${reason.replace(/\.$/, "")}`;
}

async function launch(host: CliHost, folder: DataFolder, flags: ServerFlags): Promise<ReadyServer> {
  await makeFolder(folder.path);
  await keepLogSmall(folder.logFile);
  await using log = await open(folder.logFile, "a", 0o600);
  await chmod(folder.logFile, 0o600);
  const { size: logStart } = await log.stat();
  const { RADIUS_TOKEN: _, ...env } = host.env; // the server makes its own
  const args = ["--disable-warning=ExperimentalWarning", entryFile(), "server", ...serverArgs(host, folder, flags)];
  const child = spawn(process.execPath, args, {
    cwd: folder.path,
    detached: true,
    env,
    stdio: ["ignore", log.fd, log.fd],
  });
  await once(child, "spawn");
  const deadline = performance.now() + startTimeoutMs;
  try {
    for (;;) {
      host.signal.throwIfAborted();
      if (child.exitCode !== null || child.signalCode !== null) {
        throw await whyItEnded(folder.logFile, logStart);
      }
      const server = await findServer(folder);
      const { ready, reason } = await readinessOf(server);
      if (isAnnounced(server) && server.pid === child.pid && ready) {
        child.unref();
        return server;
      }
      if (performance.now() > deadline) {
        throw new CliError(
          "ServerStartFailed",
          `The server did not become ready${because(reason)}. Its log is ${folder.logFile}.`,
        );
      }
      await delay(pollMs);
    }
  } catch (error) {
    child.kill("SIGTERM");
    throw error;
  }
}

/** The file to give to Node: `rad.js` of the build, which is running now, or the source. */
function entryFile(): string {
  const [, script = ""] = process.argv;
  return isBundled ? script : fileURLToPath(new URL("../main.ts", import.meta.url));
}

function serverArgs(host: CliHost, folder: DataFolder, flags: ServerFlags): string[] {
  return [
    ...(flags.configFile === undefined ? [] : ["--config-file", resolve(host.cwd, flags.configFile)]),
    ...(flags.host === undefined ? [] : ["--host", flags.host]),
    ...(flags.port === undefined ? [] : ["--port", flags.port]),
    // Without both flags the server's own configuration file may name another folder for the database.
    ...(flags.configFile === undefined || flags.data !== undefined ? ["--data", folder.path] : []),
  ];
}

async function keepLogSmall(logFile: string): Promise<void> {
  const current = await stat(logFile).catch(() => undefined);
  if (current !== undefined && current.size > maxLogBytes) {
    await rename(logFile, `${logFile}.1`);
  }
}

/** The server ends with its error as text, code included, below the JSON lines of its log. */
async function whyItEnded(logFile: string, start: number): Promise<CliError> {
  await using log = await open(logFile, "r");
  const { size } = await log.stat();
  const buffer = Buffer.alloc(Math.min(size - start, 65_536));
  await log.read(buffer, 0, buffer.length, size - buffer.length);
  const lines = buffer
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("{"));
  const code = lines.map((line) => /^Code: {2}(\w+)$/.exec(line)?.[1]).find((found) => found !== undefined);
  const said = lines.filter((line) => !/^(?:Code|TraceId): {2}/.test(line)).slice(0, 10);
  const message =
    said.length === 0
      ? `The server ended at once. Its log is ${logFile}.`
      : `The server did not start: ${said.join("\n").replace(/^Error: /, "")}`;
  return new CliError(code ?? "ServerStartFailed", message);
}
