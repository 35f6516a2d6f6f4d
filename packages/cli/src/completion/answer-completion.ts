import type { CommandContext } from "../command-context.ts";
import { createContext } from "../command-context.ts";
import { printableLine } from "../output/printable.ts";
import { buildProgram } from "../program.ts";
import type { NamePlace } from "./find-names.ts";
import { findNames } from "./find-names.ts";
import { wantedSource } from "./name-sources.ts";
import type { ParsedLine } from "./parse-line.ts";
import { optionsOf, parseLine } from "./parse-line.ts";

/** The last line of an answer tells the shell what to do besides: complete file names, or nothing else. */
const fileNames = ":0\n";
const nothingElse = ":4\n";

/** Prints what could come next, `<word>\t<description>` a line, in the form that the shell scripts read. */
export async function answerCompletion(context: CommandContext, words: readonly string[]): Promise<void> {
  const line = parseLine(await buildProgram([], () => context, true), words);
  const source = wantedSource(line);
  if (source === "files") {
    context.output.write(fileNames);
    return;
  }
  const offered =
    source === undefined
      ? commandsAndFlags(line)
      : (await findNames(withFlags(context, line), source, placeOf(line))).map((name) => ({
          word: printableLine(name),
          description: "",
        }));
  const lines = offered
    .filter(({ word }) => word.startsWith(line.current))
    .map(({ word, description }) => `${word}\t${description}\n`);
  context.output.write(`${lines.join("")}${nothingElse}`);
}

interface Offer {
  readonly word: string;
  readonly description: string;
}

function commandsAndFlags({ command, args, current, option }: ParsedLine): Offer[] {
  if (option !== undefined) {
    // Without choices any value will do.
    return (option.argChoices ?? []).map((word) => ({ word, description: "" }));
  }
  if (current.startsWith("-")) {
    // A command's own option comes first, and hides the global one of its name.
    const byName = new Map(
      optionsOf(command)
        .toReversed()
        .map((known) => [known.long, known]),
    );
    return optionsOf(command)
      .filter((known) => !known.hidden && byName.get(known.long) === known)
      .flatMap(({ long, description }) => (long === undefined ? [] : [{ word: long, description }]));
  }
  if (args.length > 0) {
    return [];
  }
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((child) => ({ word: child.name(), description: child.description() }));
}

function placeOf({ values, args, current }: ParsedLine): NamePlace {
  return { group: values.get("group"), environment: values.get("environment"), type: args[0], current };
}

/** The line's own `--config` and `-w` decide where names come from. */
function withFlags(context: CommandContext, { values }: ParsedLine): CommandContext {
  const config = values.get("config");
  const workspace = values.get("workspace");
  return createContext(context.host, context.traceId, {
    ...(config === undefined ? {} : { config }),
    ...(workspace === undefined ? {} : { workspace }),
    quiet: true,
  });
}
