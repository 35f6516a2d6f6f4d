import type { Client, EndedInstallerJob, InstallerStatus } from "@rad/client";
import { ReportedFailure } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Column } from "../output/table-layout.ts";
import { callInstaller } from "./installer-call.ts";
import { installerStatuses } from "./installer-statuses.ts";
import { createJobView } from "./job-view.ts";
import { statusLines } from "./status-lines.ts";

export interface StatusFlags {
  readonly history?: boolean;
  readonly watch?: boolean;
  readonly exitCode?: boolean;
}

const stateColumns: readonly Column<InstallerStatus>[] = [
  { heading: "STATE", value: ({ state }) => state },
  { heading: "VERSION", value: ({ currentVersion }) => currentVersion },
  { heading: "PRODUCT", value: ({ product, currentVersion }) => (currentVersion === undefined ? "" : product) },
  { heading: "LAST UPDATED", value: ({ lastUpdated }) => lastUpdated },
  { heading: "LAST ERROR", value: ({ lastError }) => lastError },
];

const historyColumns: readonly Column<EndedInstallerJob>[] = [
  { heading: "PRODUCT", value: ({ product }) => product },
  { heading: "VERSION", value: ({ version }) => version },
  { heading: "OPERATION", value: ({ operation }) => operation },
  { heading: "STATE", value: ({ state }) => capitalized(state) },
  { heading: "STARTED", value: ({ startedAt }) => startedAt },
  { heading: "COMPLETED", value: ({ completedAt }) => completedAt },
  { heading: "REASON", value: ({ error }) => error },
];

/** Shows the installer's status: sentences by default, a table with `-o table`, the document itself with `-o json`. */
export async function showTerraformStatus(context: CommandContext, flags: StatusFlags): Promise<void> {
  const client = await context.client();
  const first = await callInstaller(client, "read", () => client.installer.status());
  const status = flags.watch === true ? await watch(context, client, first) : first;
  if (flags.watch !== true || context.output.format === "json" || context.ownFormat !== undefined) {
    await print(context, status);
  }
  if (flags.history === true && context.output.format !== "json") {
    context.output.write("\n");
    await context.output.table(historyColumns, status.history);
  }
  if (flags.exitCode === true && status.state !== "ready") {
    throw new ReportedFailure(`The state is ${status.state}.`);
  }
}

async function print({ output, ownFormat }: CommandContext, status: InstallerStatus): Promise<void> {
  if (output.format === "json") {
    output.json(status.body);
  } else if (ownFormat === "table") {
    await output.table(stateColumns, [status]);
  } else {
    statusLines(status).forEach((line) => output.result(line));
  }
}

/** Prints every change until no job runs or waits. @returns the last status */
async function watch(context: CommandContext, client: Client, first: InstallerStatus): Promise<InstallerStatus> {
  const { host, output, ownFormat } = context;
  const view = createJobView(context);
  const isText = output.format !== "json" && ownFormat === undefined;
  let last = first;
  let shown = "";
  try {
    show(first);
    if (isBusy(first)) {
      const { longestPollMs } = view;
      for await (const status of installerStatuses({
        client,
        signal: host.signal,
        longestPollMs,
        onOutage: view.away,
      })) {
        show(status);
        if (!isBusy(status)) {
          break;
        }
      }
    }
    return last;
  } finally {
    view.clear();
  }

  function show(status: InstallerStatus): void {
    last = status;
    const text = statusLines(status).join("\n");
    if (isText && text !== shown) {
      shown = text;
      view.clear();
      output.result(text);
    }
    view.update(status.inProgress);
  }
}

function isBusy({ inProgress, pending }: InstallerStatus): boolean {
  return inProgress !== undefined || pending > 0;
}

function capitalized(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
