import type { Command, CommanderError } from "commander";
import { CliError } from "./cli-error.ts";
import { notInThisVersion } from "./commands/not-in-this-version.ts";
import { parseLine } from "./completion/parse-line.ts";
import { commandWords } from "./program.ts";

/** What is wrong with a command line; where something is missing, with the usage and an example. */
export function explainUsage(error: CommanderError, args: readonly string[], program: Command | undefined): CliError {
  const message = error.message.replace(/^error: /, "");
  switch (error.code) {
    case "commander.unknownCommand":
      return notInThisVersion(commandWords(args)) ?? new CliError("UnknownCommand", message);
    case "commander.missingArgument":
    case "commander.missingMandatoryOptionValue":
    case "commander.optionMissingArgument":
    case "commander.excessArguments":
      return new CliError("InvalidUsage", `${message}${program === undefined ? "" : usageOf(program, args)}`);
    default:
      return new CliError("InvalidUsage", message);
  }
}

function usageOf(program: Command, args: readonly string[]): string {
  const { command, path } = parseLine(program, [...args, ""]);
  const example = /\nExamples:\n {2}(.*)/.exec(helpText(command))?.[1];
  const usage = `\nUsage:   rad ${path} ${command.usage()}`;
  return example === undefined ? usage : `${usage}\nExample: ${example}`;
}

/** With what is added to the end of it, which commander gives to a stream only. */
function helpText(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}
