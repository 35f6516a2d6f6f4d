import { once } from "node:events";
import { resolve } from "node:path";
import type { loadServerConfig as LoadServerConfig, ServerConfig } from "@rad/control-plane";
import { CliError, systemCode } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { CliHost } from "../host.ts";
import { dataFolder } from "./data-folder.ts";
import { claimFolder } from "./folder-claim.ts";
import type { StartFlags } from "./server-record.ts";
import { makeFolder } from "@rad/artifacts/files";

export interface ServerFlags {
  readonly configFile?: string;
  readonly host?: string;
  readonly port?: string;
  readonly data?: string;
}

/** Runs the control plane in this process until it is asked to stop. */
export async function runServer(context: CommandContext, flags: ServerFlags): Promise<void> {
  const { host } = context;
  const folder = dataFolder(host, flags.data);
  const { defaultModules, startServer } = await import("@rad/control-plane");
  try {
    const config = await loadConfig(host, flags);
    await makeFolder(folder.path);
    // Disposed in reverse: the claim goes last, so that nobody starts a second server while this one drains.
    await using claim = await claimFolder(folder, startFlags(host, flags));
    await using server = await startServer({
      config,
      modules: defaultModules(config),
      isTerminal: host.stderr.isTTY === true,
    });
    if (claim === undefined) {
      context.output.note(
        `Another server has the data folder ${folder.path}: \`rad server status\` and \`stop\` mean that one. Give this one a folder of its own with \`--data\`.`,
      );
    }
    const { url, tokenFile, loopbackTls } = server;
    await claim?.announce({
      url,
      ...(tokenFile === undefined ? {} : { tokenFile }),
      ...(loopbackTls === undefined ? {} : { loopbackTls }),
    });
    const sayReady = (): void => context.output.note(`The control plane is ready at ${server.url}`);
    if (server.isReady()) {
      sayReady();
    } else {
      context.output.note(`The control plane listens at ${server.url}, but its database cannot be reached yet`);
      void server.ready.then(sayReady);
    }
    if (server.tokenFile !== undefined) {
      context.output.note(`The token for it is in ${server.tokenFile}`);
    }
    await Promise.race([server.closed, aborted(host.signal)]);
  } catch (error) {
    throw explainStart(error);
  }
}

/** Reads a configuration as a start would, and starts nothing. */
export async function checkConfig(context: CommandContext, flags: ServerFlags): Promise<void> {
  const { host, output } = context;
  const { checkConfigFiles } = await import("@rad/control-plane/maintenance");
  try {
    await checkConfigFiles(await loadConfig(host, flags));
  } catch (error) {
    throw explainStart(error);
  }
  output.done(`${flags.configFile ?? "The default configuration"} is valid`, {
    file: flags.configFile === undefined ? null : resolve(host.cwd, flags.configFile),
    valid: true,
  });
}

/** The configuration that a server with these flags gets. */
export async function loadConfig(host: CliHost, flags: ServerFlags): Promise<ServerConfig> {
  const { loadServerConfig } = await import("@rad/control-plane");
  return loadServerConfig(configOptions(host, flags, dataFolder(host, flags.data).path));
}

/** What starts the same server again, from whatever folder. */
function startFlags(host: CliHost, { configFile, host: address, port }: ServerFlags): StartFlags {
  return {
    ...(configFile === undefined ? {} : { configFile: resolve(host.cwd, configFile) }),
    ...(address === undefined ? {} : { host: address }),
    ...(port === undefined ? {} : { port }),
  };
}

type ConfigOptions = Parameters<typeof LoadServerConfig>[0];

function configOptions(host: CliHost, flags: ServerFlags, directory: string): ConfigOptions {
  const server = {
    ...(flags.host === undefined ? {} : { host: flags.host }),
    ...(flags.port === undefined ? {} : { port: parsePort(flags.port) }),
  };
  // With a file of its own the server decides where its data is, unless the command line does.
  const placesData = flags.configFile === undefined || flags.data !== undefined;
  return {
    env: host.env,
    ...(flags.configFile === undefined ? {} : { file: resolve(host.cwd, flags.configFile) }),
    overrides: { server, ...(placesData ? { databaseProvider: { sqlite: { directory } } } : {}) },
  };
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new CliError("InvalidUsage", `"${text}" is not a port: a number from 0 (any free one) to 65535.`);
  }
  return port;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) {
    await once(signal, "abort");
  }
}

/** What stops a server from starting is something the user can change, so it is shown as such. */
export function explainStart(error: unknown): unknown {
  if (error instanceof CliError || !(error instanceof Error)) {
    return error;
  }
  const code = systemCode(error);
  switch (code) {
    case undefined:
      return error;
    case "EADDRINUSE":
      return new CliError(
        "PortInUse",
        `Port ${portOf(error)} is taken by another program. Choose another one with \`--port\`, or for the TLS port with server.loopbackTls.port in the configuration; 0 takes any that is free.`,
      );
    case "EACCES":
    case "EROFS":
    case "ENOSPC":
      return new CliError("FolderNotWritable", `The server cannot write its data: ${error.message}.`);
    default:
      return new CliError(code, error.message);
  }
}

function portOf(error: Error): string {
  return "port" in error ? String(error.port) : "9000";
}
