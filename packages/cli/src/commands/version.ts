import { isJsonObject } from "@rad/core/json";
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Column } from "../output/table-layout.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import { shownVersion } from "../source-commit.ts";
import type { CliVersion } from "../version.ts";

interface ControlPlaneVersion {
  readonly version: string;
  readonly status: "Installed" | "Not installed" | "Not connected";
}

const cliColumns: readonly Column<CliVersion>[] = [
  { heading: "RELEASE", value: (version) => version.release },
  { heading: "VERSION", value: (version) => version.version },
  { heading: "BICEP", value: (version) => version.bicep },
  { heading: "COMMIT", value: (version) => version.commit },
];

const controlPlaneColumns: readonly Column<ControlPlaneVersion>[] = [
  { heading: "STATUS", value: (version) => version.status },
  { heading: "VERSION", value: (version) => version.version },
];

export function defineVersion(command: Command, context: ContextOf): void {
  command
    .option("--cli", "show the version of rad only")
    .addHelpText("after", examples("rad version", "rad version --cli -o json"))
    .action((options: { cli?: boolean }) => show(context(), options.cli === true));
}

async function show(context: CommandContext, cliOnly: boolean): Promise<void> {
  const { output } = context;
  const cliVersion = shownVersion();
  if (cliOnly) {
    if (output.format === "json") {
      output.json(cliVersion);
    } else {
      await output.table(cliColumns, [cliVersion]);
    }
    return;
  }
  const controlPlane = await controlPlaneVersion(context);
  if (output.format === "json") {
    output.json({ cli: cliVersion, controlPlane });
    return;
  }
  output.write("CLI Version Information:\n");
  await output.table(cliColumns, [cliVersion]);
  output.write("\nControl Plane Information:\n");
  await output.table(controlPlaneColumns, [controlPlane]);
  if (controlPlane.status === "Not installed") {
    output.note(
      "\nRun `rad server start` for a control plane on this machine, or `rad workspace create` to connect to one.",
    );
  }
}

/** Never fails because of the control plane: the question may be asked to find out what is wrong. */
async function controlPlaneVersion(context: CommandContext): Promise<ControlPlaneVersion> {
  try {
    const client = await context.client();
    const body = await client.probe("/version", { signal: AbortSignal.timeout(5_000) });
    const version = isJsonObject(body) && typeof body["version"] === "string" ? body["version"] : "unknown";
    return { version, status: "Installed" };
  } catch (error) {
    context.host.signal.throwIfAborted();
    context.output.debug(error instanceof Error ? error.message : String(error));
    const isNowhere = error instanceof CliError && ["NoWorkspace", "KubernetesNotSupported"].includes(error.code);
    return { version: "Not installed", status: isNowhere ? "Not installed" : "Not connected" };
  }
}
