import { setTimeout as delay } from "node:timers/promises";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { readTokenFile, saveToken } from "../config/tokens.ts";
import { type Workspace, serverConnection } from "../config/workspace.ts";
import { dataFolder } from "./data-folder.ts";
import { findServer } from "./find-server.ts";
import { explainStart, loadConfig, type ServerFlags } from "./run-server.ts";

export type TokenFlags = Pick<ServerFlags, "configFile" | "data"> & { readonly renew?: boolean };

/** A server looks for a renewed token every few seconds. */
const takeOverMs = 15_000;
const pollMs = 100;

/** Replaces the local or bootstrap token, and gives the new one to the workspaces of the server that runs. */
export async function renewServerToken(context: CommandContext, flags: TokenFlags): Promise<void> {
  if (flags.renew !== true) {
    throw new CliError(
      "InvalidUsage",
      "`rad server token --renew` replaces the token; the one before is refused from then on.",
    );
  }
  const { host } = context;
  const folder = dataFolder(host, flags.data);
  const server = await findServer(folder);
  // The server that runs knows its configuration; another one has to be named.
  const configFile = flags.configFile ?? server?.flags?.configFile;
  const { renewToken } = await import("@rad/control-plane/maintenance");
  let tokenFile: string;
  try {
    const given = { ...flags, ...(configFile === undefined ? {} : { configFile }) };
    tokenFile = await renewToken(await loadConfig(host, given));
  } catch (error) {
    throw explainStart(error);
  }
  const workspaces = server?.url === undefined ? [] : await handOver(context, server.url, tokenFile);
  const known =
    workspaces.length === 0
      ? ""
      : `, and stored for the workspace${workspaces.length > 1 ? "s" : ""} ${workspaces.join(", ")}`;
  context.output.done(`The token was renewed: ${tokenFile}${known}`, { tokenFile, workspaces });
}

/** @returns the names of the workspaces that lead to the server. */
async function handOver(context: CommandContext, url: string, tokenFile: string): Promise<string[]> {
  const token = await readTokenFile(tokenFile);
  if (token === undefined || !(await isTakenOver(context, url, token))) {
    throw new CliError(
      "TokenNotTakenOver",
      `The token in ${tokenFile} is new, but the server at ${url} does not accept it yet. Run \`rad server restart\`.`,
    );
  }
  const all: readonly Workspace[] = [...(await context.config()).workspaces.values()];
  const names = all.filter(({ connection }) => connection.overrides?.ucp === url).map(({ name }) => name);
  for (const name of names) {
    await saveToken(context.configPath, name, token);
  }
  return names;
}

async function isTakenOver(context: CommandContext, url: string, token: string): Promise<boolean> {
  const { ClientError } = await import("@rad/client");
  const client = await context.client({ name: "", connection: serverConnection(url) }, { token, useTokenFile: false });
  const deadline = performance.now() + takeOverMs;
  while (performance.now() < deadline) {
    try {
      await client.planes.list();
      return true;
    } catch (error) {
      if (!(error instanceof ClientError && error.status === 401)) {
        throw error;
      }
    }
    context.host.signal.throwIfAborted();
    await delay(pollMs);
  }
  return false;
}
