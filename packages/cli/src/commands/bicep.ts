import type { Command } from "commander";
import type { BuildOptions } from "../bicep/build.ts";
import type { FormatFilesOptions } from "../bicep/format-file.ts";
import type { LintOptions } from "../bicep/lint-file.ts";
import type { PublishExtensionOptions } from "../bicep/publish-extension.ts";
import type { RestoreOptions } from "../bicep/restore-file.ts";
import type { PackageTarget } from "../bicep/type-package-file.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import type { ConsoleOptions } from "../templates/bicep-console.ts";

const stdoutOption = ["--stdout", "print the result instead of writing a file"] as const;
const outfileOption = ["--outfile <path>", "file to write (default: beside the source)"] as const;
const outdirOption = ["--outdir <folder>", "folder to write the result to"] as const;
const rootOption = ["--root <folder>", "read no file outside of this folder"] as const;
const noRestoreOption = ["--no-restore", "do not fetch missing artifacts from registries"] as const;
const noRegisteredTypesOption = [
  "--no-registered-types",
  "leave out the types that the workspace's control plane has registered",
] as const;
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
    .option(...noRegisteredTypesOption)
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
    .option(...noRegisteredTypesOption)
    .option(...formatOption)
    .addHelpText("after", examples("rad bicep build-params app.bicepparam"))
    .action(async (file: string, options: BuildOptions) => {
      const { buildParameters } = await import("../bicep/build-params.ts");
      await buildParameters(context(), file, options);
    });
  command
    .command("lint")
    .description("Check Bicep files and the files that they use")
    .argument("<file...>", "files, folders or patterns to check")
    .option(...rootOption)
    .option(...noRestoreOption)
    .option(...noRegisteredTypesOption)
    .option(...formatOption)
    .addHelpText(
      "after",
      examples(
        "rad bicep lint app.bicep",
        "rad bicep lint . --diagnostics-format sarif",
        "rad bicep lint 'modules/**/*.bicep'",
      ),
    )
    .action(async (files: readonly string[], options: LintOptions) => {
      const { lintFiles } = await import("../bicep/lint-file.ts");
      await lintFiles(context(), files, options);
    });
  command
    .command("format")
    .description("Format Bicep files")
    .argument("<file...>", "files, folders or patterns to format, in place")
    .option(...stdoutOption)
    .option("--check", "write nothing; list the files that are not formatted, and exit with 1 if there are any")
    .addHelpText(
      "after",
      examples("rad bicep format app.bicep", "rad bicep format app.bicep --stdout", "rad bicep format . --check"),
    )
    .action(async (files: readonly string[], options: FormatFilesOptions) => {
      const { formatFiles } = await import("../bicep/format-file.ts");
      await formatFiles(context(), files, options);
    });
  command
    .command("restore")
    .description("Fetch the modules and extensions that a Bicep file names, and the types that are registered")
    .argument("<file>", "file to look at, with the files that it uses")
    .option("--force", "fetch also what is there already")
    .option("--no-registered-types", "do not ask the workspace's control plane for its types")
    .addHelpText("after", examples("rad bicep restore app.bicep"))
    .action(async (file: string, options: RestoreOptions) => {
      const { restoreFile } = await import("../bicep/restore-file.ts");
      await restoreFile(context(), file, options);
    });
  command
    .command("publish-extension")
    .description("Make the type package of a manifest, which Bicep files use as an extension")
    .argument("[manifest]", "manifest in YAML or JSON; - reads it from stdin")
    .option("-f, --from-file <path>", "the same as the argument")
    .requiredOption("--target <path>", "file to write, such as types.tgz")
    .option("--force", "replace the file if it is there")
    .addHelpText("after", examples("rad bicep publish-extension types.yaml --target types.tgz"))
    .action(async (manifest: string | undefined, options: PublishExtensionOptions) => {
      const { publishExtension } = await import("../bicep/publish-extension.ts");
      await publishExtension(context(), manifest, options);
    });
  command
    .command("generate-types")
    .description("Make one type package of all types that the workspace's control plane has registered")
    .requiredOption("--target <path>", "file to write, such as radius.tgz")
    .option("--force", "replace the file if it is there")
    .addHelpText("after", examples("rad bicep generate-types --target radius.tgz"))
    .action(async (options: PackageTarget) => {
      const { generateTypes } = await import("../bicep/generate-types.ts");
      await generateTypes(context(), options);
    });
  // Scripts written for upstream's rad call these; there is no separate compiler to fetch or remove.
  for (const name of ["download", "delete"]) {
    command
      .command(name, { hidden: true })
      .description("Do nothing: the Bicep compiler is part of rad")
      .addHelpText("after", examples(`rad bicep ${name}`))
      .action(() => context().output.note("The Bicep compiler is part of rad; nothing needs to be done."));
  }
  command
    .command("console")
    .description("Try out Bicep expressions, with the parameters and variables of a file if one is given")
    .argument("[file]", "file whose declarations can be used")
    .option("-p, --parameters <parameter>", "name=value, name=@value.json, @file.json or file.bicepparam", collect)
    .option(...rootOption)
    .option(...noRestoreOption)
    .option(...noRegisteredTypesOption)
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
}

function collect(parameter: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, parameter];
}
