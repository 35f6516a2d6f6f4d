import type { PreflightCheck } from "@rad/client";
import { ReportedFailure } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { type EnvironmentOptions, namedEnvironment } from "../environments/find-environment.ts";
import { mustFind } from "../families/family-resource.ts";
import { printableLine } from "../output/printable.ts";
import type { Column } from "../output/table-layout.ts";
import { callInstaller } from "./installer-call.ts";

const columns: readonly Column<PreflightCheck>[] = [
  { heading: "STATUS", value: ({ status }) => status },
  { heading: "TIME", value: ({ durationMs }) => `${durationMs} ms` },
  { heading: "CHECK", value: ({ name }) => name },
  { heading: "MESSAGE", value: ({ message }) => printableLine(message) },
];

/** A line for each check. @throws ReportedFailure when one has failed */
export async function validateEnvironment(context: CommandContext, flags: EnvironmentOptions): Promise<void> {
  const { output, host } = context;
  const workspace = await context.workspace();
  const wanted = await namedEnvironment(context, workspace, flags.environment, flags);
  const client = await context.client(workspace);
  const { id, display } = await mustFind(client, wanted, workspace.name);
  const { body, checks, isValid } = await callInstaller(client, "read", () =>
    client.installer.validate(id, { signal: host.signal }),
  );
  if (output.format === "json") {
    output.json(body);
  } else {
    await output.table(columns, checks);
  }
  if (!isValid) {
    const failed = checks.filter(({ status }) => status === "failed").length;
    output.note(`${failed} of ${checks.length} checks have failed for ${display}.`);
    throw new ReportedFailure("A check has failed.");
  }
}
