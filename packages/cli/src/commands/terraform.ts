import { type Command, Option } from "commander";
import type { EnvironmentOptions } from "../environments/find-environment.ts";
import { addFamilyFlags } from "../families/choose-families.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import type { InstallFlags } from "../terraform/install.ts";
import type { MigrateFlags } from "../terraform/migrate/migrate-environment.ts";
import type { MirrorListOptions } from "../terraform/mirror-list.ts";
import type { StatusFlags } from "../terraform/status.ts";
import type { WaitFlags } from "../terraform/timeout.ts";

const waitOption = ["--wait", "wait until it has succeeded or failed"] as const;
const timeoutOption = [
  "--timeout <duration>",
  "how long --wait waits, such as 90s, 30m or 1h30m; the job goes on after it (default: 10m)",
] as const;

const environmentOption = [
  "-e, --environment <name>",
  "name of the environment, or its full id; by default the workspace's",
] as const;
const groupOption = ["-g, --group <name>", "resource group; by default the workspace's"] as const;

export function defineTerraform(command: Command, context: ContextOf): void {
  command
    .command("install")
    .description("Install Terraform or OpenTofu in the control plane, for recipes")
    .addOption(
      new Option("--product <name>", "what to install").choices(["terraform", "opentofu"]).default("terraform"),
    )
    .option("--version <version>", "version, such as 1.6.4; without it and --url, the newest release")
    .option("--url <url>", "https URL of the archive or binary, for example on a mirror of your own")
    .option("--checksum <sha256>", "SHA-256 of what is downloaded, in hexadecimal digits")
    .option("--ca-bundle <file>", "PEM file with authorities to trust for the download, besides the usual ones")
    .option(...waitOption)
    .option(...timeoutOption)
    .addHelpText(
      "after",
      `\nThe control plane downloads; this machine needs no way to the mirror. The active version stays until the new one is ready.\n${examples(
        "rad terraform install --version 1.6.4 --wait",
        "rad terraform install --product opentofu --version 1.10.10",
        "rad terraform install --url https://mirror.example.com/terraform_1.6.4_linux_amd64.zip --checksum sha256:… --ca-bundle ca.pem",
      )}`,
    )
    .action(async (flags: InstallFlags) =>
      (await import("../terraform/install.ts")).installTerraform(context(), flags),
    );
  command
    .command("uninstall")
    .description("Uninstall the version that is active; refused while recipes use it")
    .option(...waitOption)
    .option(...timeoutOption)
    .addHelpText("after", examples("rad terraform uninstall --wait"))
    .action(async (flags: WaitFlags) =>
      (await import("../terraform/uninstall.ts")).uninstallTerraform(context(), flags),
    );
  addFamilyFlags(command.command("mirror-list"))
    .description("List what an air-gapped organisation has to mirror for the recipes of an environment")
    .option("-e, --environment <name>", "environment, a name or a full id; by default the workspace's")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .option(
      "--platform <os_arch>",
      "platform, such as linux_arm64; may be repeated; by default the control plane's",
      collect,
    )
    .addHelpText(
      "after",
      `\nThe control plane gets modules and providers with the settings of the environment; nothing is applied or stored.\n${examples(
        "rad terraform mirror-list --environment prod",
        "rad terraform mirror-list -e prod --platform linux_amd64 --platform linux_arm64 -o json",
      )}`,
    )
    .action(async (options: MirrorListOptions) =>
      (await import("../terraform/mirror-list.ts")).showMirrorList(context(), options),
    );
  command
    .command("status")
    .description("Show which version is active, and what the installer is doing")
    .option("--history", "show the last 50 installs and uninstalls, too")
    .option("--watch", "print every change until no job runs or waits")
    .option("--exit-code", "exit with 0 only if a version is ready, otherwise with 1")
    .addHelpText(
      "after",
      examples("rad terraform status", "rad terraform status --history", "rad terraform status --watch --exit-code"),
    )
    .action(async (flags: StatusFlags) =>
      (await import("../terraform/status.ts")).showTerraformStatus(context(["table"]), flags),
    );
  addFamilyFlags(command.command("validate"))
    .description("Check whether recipes of an environment would find everything they need; changes nothing")
    .option(...environmentOption)
    .option(...groupOption)
    .addHelpText(
      "after",
      `\nExits with 1 if a check fails. A check is skipped if one that it needs has failed.\n${examples(
        "rad terraform validate --environment dev",
        "rad terraform validate --environment dev -o json",
      )}`,
    )
    .action(async (flags: EnvironmentOptions) =>
      (await import("../terraform/validate.ts")).validateEnvironment(context(), flags),
    );
  addFamilyFlags(command.command("migrate"))
    .description("Move an environment from recipeConfig to Terraform and Bicep settings")
    .option(...environmentOption)
    .option(...groupOption)
    .option("--settings-name <name>", "name of the settings in the environment's group; by default the environment's")
    .option("--outfile <path>", "write the Bicep file there instead of to standard output")
    .option("--apply", "create the settings and refer to them, instead of writing Bicep")
    .option("--what-if", "show what would be created and changed, and change nothing")
    .option("--force", "with --apply: go on although settings have no place for some of recipeConfig")
    .addHelpText(
      "after",
      `\nWrites Bicep by default. recipeConfig and the states of recipes stay as they are.\n${examples(
        "rad terraform migrate --environment dev --what-if",
        "rad terraform migrate --environment dev --outfile dev.bicep",
        "rad terraform migrate --environment dev --apply",
      )}`,
    )
    .action(async (flags: MigrateFlags) =>
      (await import("../terraform/migrate/migrate-environment.ts")).migrateEnvironment(context(), flags),
    );
}

function collect(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text];
}
