import type { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { cliVersion } from "./version.ts";

/**
 * Makes the context once the whole line has been parsed, because global options may stand at its end.
 * @param ownFormats values of `-o` that only this command has
 */
export type ContextOf = (ownFormats?: readonly string[]) => CommandContext;

export interface CommandGroup {
  readonly name: string;
  readonly alias?: string;
  readonly hidden?: boolean;
  /** Its `--version` is the version of something else than `rad`. */
  readonly hasVersionFlag?: boolean;
  readonly summary: string;
  /** Adds arguments, options, subcommands and actions. Loaded only when the command is used, to start fast. */
  readonly define: () => Promise<(command: Command, context: ContextOf) => void>;
}

export const commandGroups: readonly CommandGroup[] = [
  {
    name: "api",
    summary: "Send a request to the control plane's API and print the answer",
    define: async () => (await import("./commands/api.ts")).defineApi,
  },
  {
    name: "application",
    alias: "app",
    summary: "List, show, draw and delete applications",
    define: async () => (await import("./commands/application.ts")).defineApplication,
  },
  {
    name: "bicep",
    summary: "Compile, check and format Bicep files",
    define: async () => (await import("./commands/bicep.ts")).defineBicep,
  },
  {
    name: "completion",
    summary: "Print a shell completion script",
    define: async () => (await import("./commands/completion.ts")).defineCompletion,
  },
  {
    name: "complete",
    hidden: true,
    summary: "Answer a completion script",
    define: async () => (await import("./commands/completion.ts")).defineComplete,
  },
  {
    name: "credential",
    summary: "Manage the credentials that recipes use in Azure and AWS",
    define: async () => (await import("./commands/credential.ts")).defineCredential,
  },
  {
    name: "demo",
    summary: "Show what Radius does, in a temporary control plane",
    define: async () => (await import("./commands/demo.ts")).defineDemo,
  },
  {
    name: "deploy",
    summary: "Deploy a Bicep file or a compiled template",
    define: async () => (await import("./commands/deploy.ts")).defineDeploy,
  },
  {
    name: "deployment",
    summary: "List, show, watch, cancel and delete deployments",
    define: async () => (await import("./commands/deployment.ts")).defineDeployment,
  },
  {
    name: "environment",
    alias: "env",
    summary: "Manage environments: where applications are deployed to",
    define: async () => (await import("./commands/environment.ts")).defineEnvironment,
  },
  {
    name: "group",
    summary: "Manage resource groups",
    define: async () => (await import("./commands/group.ts")).defineGroup,
  },
  {
    name: "initialize",
    alias: "init",
    summary: "Prepare a workspace, an environment and the files of an application",
    define: async () => (await import("./commands/initialize.ts")).defineInitialize,
  },
  {
    name: "recipe",
    summary: "Manage the recipes of environments: how resources are created",
    define: async () => (await import("./commands/recipe.ts")).defineRecipe,
  },
  {
    name: "recipe-pack",
    summary: "Manage recipe packs: recipes that environments share",
    define: async () => (await import("./commands/recipe-pack.ts")).defineRecipePack,
  },
  {
    name: "resource",
    summary: "Manage resources",
    define: async () => (await import("./commands/resource.ts")).defineResource,
  },
  {
    name: "resource-provider",
    alias: "rp",
    hidden: true,
    summary: "Manage resource providers",
    define: async () => (await import("./commands/resource-provider.ts")).defineResourceProvider,
  },
  {
    name: "resource-type",
    alias: "rt",
    summary: "Manage resource types",
    define: async () => (await import("./commands/resource-type.ts")).defineResourceType,
  },
  {
    name: "run",
    summary: "Deploy an application, follow its logs and forward its ports",
    define: async () => (await import("./commands/run.ts")).defineRun,
  },
  {
    name: "secret",
    summary: "Manage secrets, for example of Terraform registries",
    define: async () => (await import("./commands/secret.ts")).defineSecret,
  },
  {
    name: "server",
    summary: "Run a control plane on this machine",
    define: async () => (await import("./commands/server.ts")).defineServer,
  },
  {
    name: "template",
    summary: "Look inside ARM templates",
    define: async () => (await import("./commands/template.ts")).defineTemplate,
  },
  {
    name: "terraform",
    hasVersionFlag: true,
    summary: "Install the Terraform or OpenTofu that recipes use",
    define: async () => (await import("./commands/terraform.ts")).defineTerraform,
  },
  {
    name: "version",
    summary: "Show the versions of rad and of the control plane",
    define: async () => (await import("./commands/version.ts")).defineVersion,
  },
  {
    name: "workspace",
    summary: "Manage workspaces: connections to control planes",
    define: async () => (await import("./commands/workspace.ts")).defineWorkspace,
  },
];

const valueOptions = new Set(["--config", "-o", "--output", "-w", "--workspace"]);

/**
 * The root command with the group that `args` asks for, defined in full. Where they ask for none that exists, all groups
 * are there by name, for help and for suggestions.
 */
export async function buildProgram(args: readonly string[], context: ContextOf, all = false): Promise<Command> {
  const { Command } = await import("commander");
  const program = new Command("rad");
  program
    .description("Radius: describe an application once, deploy it where the platform team says.")
    .option("--config <path>", "configuration file (default: ~/.rad/config.yaml)")
    .option("-o, --output <format>", "output format: json or table")
    .option("-w, --workspace <name>", "workspace to use instead of the current one")
    .option("--verbose", "show what happens on the way")
    .option("--debug", "same as --verbose, and stack traces of errors")
    .option("--quiet", "print results and errors only")
    .option("--no-color", "no colours (so does a NO_COLOR variable)")
    // Those of the program: commander would add the options of `rad server`, which its subcommands list themselves.
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: (command) => (command === program ? [] : [...program.options]),
    })
    .showHelpAfterError(false)
    .addHelpText("after", "\nRun `rad help <command>` or `rad <command> --help` for details and examples.");
  const wanted = groupOf(commandWords(args)[0]);
  // Options of the program count wherever they stand on the line, so this one would take its value from the command.
  if (wanted?.hasVersionFlag !== true) {
    program.version(`rad ${cliVersion.version}`, "--version", "show the version of rad");
  }
  for (const group of wanted === undefined || all ? commandGroups : [wanted]) {
    const command = program.command(group.name, { hidden: group.hidden === true });
    command.description(group.summary);
    if (group.alias !== undefined) {
      command.alias(group.alias);
    }
    if (all || group === wanted) {
      (await group.define())(command, context);
    }
  }
  return program;
}

function groupOf(word: string | undefined): CommandGroup | undefined {
  return word === undefined ? undefined : commandGroups.find(({ name, alias }) => [name, alias].includes(word));
}

/** The words that name a command; `rad help group` asks for `group`, `rad --help group` for none. */
export function commandWords(args: readonly string[]): string[] {
  const words: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (valueOptions.has(arg)) {
      index += 1;
    } else if (words.length === 0 && (arg === "--help" || arg === "-h")) {
      return [];
    } else if (!arg.startsWith("-")) {
      words.push(arg);
    }
  }
  return words[0] === "help" ? words.slice(1) : words;
}

/**
 * Commands of upstream's `rad` get the command that replaces them, and `rad help` and `--help` of a command that does not
 * exist are errors, for which commander would show the help of `rad`. @throws CliError
 */
export async function refuseUnknown(program: Command, args: readonly string[]): Promise<void> {
  const words = commandWords(args);
  if (words.length === 0 || groupOf(words[0]) !== undefined) {
    return;
  }
  // The error is shown as the line asks, and nothing has read its options yet.
  program.parseOptions([...args]);
  const { notInThisVersion } = await import("./commands/not-in-this-version.ts");
  const missing = notInThisVersion(words);
  if (missing !== undefined) {
    throw missing;
  }
  const asksForHelp = args.some((arg) => ["help", "--help", "-h"].includes(arg));
  if (asksForHelp) {
    const { CliError } = await import("./cli-error.ts");
    const { nearestName } = await import("@rad/core");
    const names = commandGroups.filter(({ hidden }) => hidden !== true).map(({ name }) => name);
    const nearest = nearestName(words[0] ?? "", names);
    const suggestion = nearest === undefined ? "Run `rad --help` to see the commands." : `Did you mean ${nearest}?`;
    throw new CliError("UnknownCommand", `unknown command '${words[0]}'. ${suggestion}`);
  }
}

/** Examples at the end of a help text, each a line that can be copied. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
