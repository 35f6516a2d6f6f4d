import { resolve } from "node:path";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { dataFolder } from "./data-folder.ts";
import { explainStart } from "./run-server.ts";

export interface CopyFlags {
  readonly configFile?: string;
  readonly data?: string;
}

const reportEvery = 1_000;

/** Copies what a server on SQLite has to PostgreSQL. */
export async function copyServer(context: CommandContext, flags: CopyFlags): Promise<void> {
  const { host, output } = context;
  const { configFile } = flags;
  if (configFile === undefined) {
    throw new CliError("InvalidUsage", "Name the configuration of the database to copy to with `--config-file`.");
  }
  const from = dataFolder(host, flags.data).path;
  const { loadServerConfig } = await import("@rad/control-plane");
  const { copyDatabase } = await import("@rad/control-plane/maintenance");
  try {
    const to = loadServerConfig({ env: host.env, file: resolve(host.cwd, configFile) });
    const documents = await copyDatabase({
      from,
      to,
      onProgress: (copied) => {
        host.signal.throwIfAborted();
        if (copied % reportEvery === 0) {
          output.note(`${copied} documents copied`);
        }
      },
    });
    output.done(`${documents} documents copied from ${from}; the audit log stays there`, { documents, from });
  } catch (error) {
    throw explainStart(error);
  }
}
