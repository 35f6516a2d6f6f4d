import type { Command } from "commander";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import type { RunOptions } from "../run/run-application.ts";

export function defineRun(command: Command, context: ContextOf): void {
  command
    .argument("<file>", "a .bicep file, a .bicepparam file that names one, a compiled template in .json, or a URL")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .option("-e, --environment <name>", "environment, a name or a full id; by default the workspace's")
    .option("-a, --application <name>", "application to run, created when it does not exist; by default the template's")
    .option("-p, --parameters <parameter>", "name=value, name=@value.json, @file.json or file.bicepparam", collect)
    .option("--no-registered-types", "compile without the types that the control plane has registered")
    .addHelpText(
      "after",
      `\nThe cluster is the one whose kube context the workspace names. Ctrl+C ends the logs; the application goes on.\n${examples(
        "rad run app.bicep",
        "rad run app.bicep -a shop -p replicas=3",
      )}`,
    )
    .action(async (file: string, options: RunOptions) => {
      const { runApplication } = await import("../run/run-application.ts");
      await runApplication(context(), file, options);
    });
}

function collect(parameter: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, parameter];
}
