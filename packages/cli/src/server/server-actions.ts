import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Column } from "../output/table-layout.ts";
import type { DataFolder } from "./data-folder.ts";
import { dataFolder } from "./data-folder.ts";
import { printLog } from "./follow-log.ts";
import { findRunning } from "./pid-file.ts";
import type { ServerFlags } from "./run-server.ts";
import { setUpWorkspace } from "./set-up-workspace.ts";
import { startDetached } from "./start-server.ts";
import { stopServer } from "./stop-server.ts";

export interface StopFlags {
  readonly data?: string;
  readonly timeout: string;
  readonly force?: boolean;
}

export interface LogFlags {
  readonly data?: string;
  readonly follow?: boolean;
  readonly tail?: string;
}

interface ServerStatus {
  readonly running: boolean;
  readonly pid: number | null;
  readonly url: string | null;
  readonly startedAt: string | null;
  readonly data: string;
  readonly log: string;
}

const statusColumns: readonly Column<ServerStatus>[] = [
  { heading: "STATUS", value: (status) => (status.running ? "Running" : "Not running") },
  { heading: "URL", value: (status) => status.url ?? "" },
  { heading: "PID", value: (status) => status.pid?.toString() },
  { heading: "DATA", value: (status) => status.data },
];

export async function start(context: CommandContext, flags: ServerFlags): Promise<void> {
  const { server, alreadyRunning } = await startDetached(context, flags);
  const { output } = context;
  output.note(
    `The control plane ${alreadyRunning ? "is running already" : "is ready"} at ${server.url} (pid ${server.pid})`,
  );
  await setUpWorkspace(context, server);
  if (output.format === "json") {
    output.json(await readStatus(dataFolder(context.host, flags.data)));
  }
}

export async function stop(context: CommandContext, flags: StopFlags): Promise<void> {
  const seconds = parseCount(flags.timeout, "--timeout");
  const stopped = await stopServer(dataFolder(context.host, flags.data).pidFile, {
    waitMs: seconds * 1000,
    signal: context.host.signal,
    force: flags.force === true,
  });
  const line =
    stopped === undefined ? "The control plane is not running" : `The control plane at ${stopped.url} stopped`;
  context.output.done(line, { stopped: stopped !== undefined, pid: stopped?.pid ?? null });
}

export async function status(context: CommandContext, flags: ServerFlags): Promise<void> {
  const current = await readStatus(dataFolder(context.host, flags.data));
  if (context.output.format === "json") {
    context.output.json(current);
  } else {
    await context.output.table(statusColumns, [current]);
  }
}

export async function logs(context: CommandContext, flags: LogFlags): Promise<void> {
  await printLog(dataFolder(context.host, flags.data).logFile, {
    follow: flags.follow === true,
    tail: flags.tail === undefined ? undefined : parseCount(flags.tail, "--tail"),
    signal: context.host.signal,
    write: (text) => context.output.write(text),
  });
}

async function readStatus(folder: DataFolder): Promise<ServerStatus> {
  const server = await findRunning(folder.pidFile);
  return {
    running: server !== undefined,
    pid: server?.pid ?? null,
    url: server?.url ?? null,
    startedAt: server?.startedAt ?? null,
    data: folder.path,
    log: folder.logFile,
  };
}

function parseCount(text: string, flag: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw new CliError("InvalidUsage", `${flag} needs a whole number, not "${text}".`);
  }
  return Number(text);
}
