import { RootCommand } from "@bomb.sh/tab";
import type { Command as TabCommand } from "@bomb.sh/tab";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { createContext } from "../command-context.ts";
import { buildProgram } from "../program.ts";
import { findNames } from "./find-names.ts";
import type { NameSource } from "./name-sources.ts";
import { argumentSources, optionSources, wantedSource } from "./name-sources.ts";

/** After these the shell completes file names by itself. */
const fileFlags = new Set([
  "-f",
  "--from-file",
  "-p",
  "--parameters",
  "--file",
  "--outfile",
  "--outdir",
  "--root",
  "--config",
  "--config-file",
  "--data",
  "--icon",
  "--kubeconfig",
  "--token-file",
]);
/** Their arguments are files, or begin like one; by the number of words that they consist of. */
const fileCommands: ReadonlyMap<string, number> = new Map([
  ["deploy", 1],
  ["bicep", 2],
]);
const useFileNames = ":0\n";

/** Prints what could come next on the line, in the form that the shell scripts read. */
export async function answerCompletion(context: CommandContext, words: readonly string[]): Promise<void> {
  const previous = words.at(-2) ?? "";
  const isArgument = !previous.startsWith("-") && words.at(-1)?.startsWith("-") !== true;
  if (fileFlags.has(previous) || (isArgument && words.length > (fileCommands.get(words[0] ?? "") ?? words.length))) {
    context.output.write(useFileNames);
    return;
  }
  const withFlags = createContext(context.host, context.traceId, { ...globalsIn(words), quiet: true });
  const wanted = wantedSource(words);
  const names = wanted === undefined ? [] : await findNames(withFlags, wanted);
  const namesOf = (source: NameSource | undefined): readonly string[] => (source === wanted?.source ? names : []);

  const root = new RootCommand();
  const program = await buildProgram([], () => context, true);
  describe(root, program, "", namesOf);
  addCommands(root, program, "", namesOf);
  root.parse([...words]);
}

type NamesOf = (source: NameSource | undefined) => readonly string[];

function addCommands(root: RootCommand, parent: Command, path: string, namesOf: NamesOf): void {
  for (const command of parent.createHelp().visibleCommands(parent)) {
    const names = [command.name(), ...command.aliases()].map((name) => (path === "" ? name : `${path} ${name}`));
    for (const name of names) {
      const target = root.command(name, command.description());
      describe(target, command, name, namesOf);
      addCommands(root, command, name, namesOf);
    }
  }
}

function describe(target: TabCommand, command: Command, path: string, namesOf: NamesOf): void {
  // Global options are accepted everywhere, so they are offered everywhere.
  const inherited = command.parent === null ? [] : (rootOf(command).options ?? []);
  for (const option of [...command.options, ...inherited]) {
    const name = option.long?.replace(/^--/, "");
    const short = option.short?.replace(/^-/, "");
    if (name === undefined || target.options.has(name)) {
      continue;
    }
    if (option.required || option.optional) {
      const values = name === "output" ? ["json", "table"] : namesOf(optionSources[name]);
      target.option(name, option.description, (complete) => values.forEach((value) => complete(value, "")), short);
    } else if (short === undefined) {
      target.option(name, option.description);
    } else {
      target.option(name, option.description, short);
    }
  }
  for (const [index, argument] of command.registeredArguments.entries()) {
    const values = namesOf(argumentSources(path)[index]);
    target.argument(argument.name(), (complete) => values.forEach((value) => complete(value, "")), argument.variadic);
  }
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

/** The line's own `--config` and `-w` decide where names come from. */
function globalsIn(words: readonly string[]): { config?: string; workspace?: string } {
  const valueOf = (...flags: readonly string[]) => {
    const index = words.findIndex((word) => flags.includes(word));
    const value = index < 0 || index === words.length - 2 ? undefined : words[index + 1];
    return value === undefined || value === "" ? undefined : value;
  };
  const config = valueOf("--config");
  const workspace = valueOf("-w", "--workspace");
  return { ...(config === undefined ? {} : { config }), ...(workspace === undefined ? {} : { workspace }) };
}
