import type { Command } from "commander";
import type { BuildOptions } from "../bicep/build.ts";
import type { LintOptions } from "../bicep/lint-file.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import type { ConsoleOptions } from "../templates/bicep-console.ts";

const stdoutOption = ["--stdout", "print the result instead of writing a file"] as const;
const outfileOption = ["--outfile <path>", "file to write (default: beside the source)"] as const;
const outdirOption = ["--outdir <folder>", "folder to write the result to"] as const;
const rootOption = ["--root <folder>", "read no file outside of this folder"] as const;
const noRestoreOption = ["--no-restore", "do not fetch missing artifacts from registries"] as const;
const formatOption = ["--diagnostics-format <format>", "form of the diagnostics: default or sarif"] as const;

export function defineBicep(command: Command, context: ContextOf): void {
  command
    .command("build")
    .description("Compile a Bicep file to an ARM template")
    .argument("<file>", "file to compile")
    .option(...stdoutOption)
    .option(...outfileOption)
    .option(...outdirOption)
    .option(...rootOption)
    .option(...noRestoreOption)
    .option(...formatOption)
    .addHelpText("after", examples("rad bicep build app.bicep", "rad bicep build app.bicep --stdout"))
    .action(async (file: string, options: BuildOptions) => {
      const { buildTemplate } = await import("../bicep/build.ts");
      await buildTemplate(context(), file, options);
    });
  command
    .command("build-params")
    .description("Compile a parameters file to JSON")
    .argument("<file>", ".bicepparam file to compile")
    .option(...stdoutOption)
    .option(...outfileOption)
    .option(...outdirOption)
    .option(...rootOption)
    .option(...noRestoreOption)
    .option(...formatOption)
    .addHelpText("after", examples("rad bicep build-params app.bicepparam"))
    .action(async (file: string, options: BuildOptions) => {
      const { buildParameters } = await import("../bicep/build-params.ts");
      await buildParameters(context(), file, options);
    });
  command
    .command("lint")
    .description("Check a Bicep file and the files that it uses")
    .argument("<file>", "file to check")
    .option(...rootOption)
    .option(...noRestoreOption)
    .option(...formatOption)
    .addHelpText("after", examples("rad bicep lint app.bicep", "rad bicep lint app.bicep --diagnostics-format sarif"))
    .action(async (file: string, options: LintOptions) => {
      const { lintFile } = await import("../bicep/lint-file.ts");
      await lintFile(context(), file, options);
    });
  command
    .command("format")
    .description("Format a Bicep file")
    .argument("<file>", "file to format, in place")
    .option(...stdoutOption)
    .addHelpText("after", examples("rad bicep format app.bicep", "rad bicep format app.bicep --stdout"))
    .action(async (file: string, options: { stdout?: boolean }) => {
      const { formatFile } = await import("../bicep/format-file.ts");
      await formatFile(context(), file, options.stdout === true);
    });
  command
    .command("restore")
    .description("Fetch the modules and extensions that a Bicep file names from their registries")
    .argument("<file>", "file to look at, with the files that it uses")
    .option("--force", "fetch also what is there already")
    .addHelpText("after", examples("rad bicep restore app.bicep"))
    .action(async (file: string, options: { force?: boolean }) => {
      const { restoreFile } = await import("../bicep/restore-file.ts");
      await restoreFile(context(), file, options.force === true);
    });
  command
    .command("console")
    .description("Try out Bicep expressions, with the parameters and variables of a file if one is given")
    .argument("[file]", "file whose declarations can be used")
    .option("-p, --parameters <parameter>", "name=value, name=@value.json, @file.json or file.bicepparam", collect)
    .option(...rootOption)
    .option(...noRestoreOption)
    .addHelpText(
      "after",
      examples(
        "rad bicep console",
        "rad bicep console app.bicep -p replicas=3",
        `echo "uniqueString('a')" | rad bicep console`,
      ),
    )
    .action(async (file: string | undefined, options: ConsoleOptions) => {
      const { runBicepConsole } = await import("../templates/bicep-console.ts");
      await runBicepConsole(context(), file, options);
    });
  // Scripts that are written for upstream's `rad` call them.
  for (const verb of ["download", "delete"]) {
    command
      .command(verb, { hidden: true })
      .description("Do nothing: the compiler is built in")
      .addHelpText("after", examples(`rad bicep ${verb}`))
      .action(() => context().output.note(`There is nothing to ${verb}: the Bicep compiler is built in.`));
  }
}

function collect(parameter: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, parameter];
}
