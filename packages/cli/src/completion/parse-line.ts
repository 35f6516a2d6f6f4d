import type { Command, Option } from "commander";

/** A command line up to the cursor, read by the definitions of the commands. */
export interface ParsedLine {
  /** The innermost command that is named. */
  readonly command: Command;
  /** Its words, without aliases: `resource-type show`. */
  readonly path: string;
  /** The arguments before the current word. */
  readonly args: readonly string[];
  /** The word to complete; it may be empty. */
  readonly current: string;
  /** The option whose value the current word is. */
  readonly option: Option | undefined;
  /** Values of options by their long names without dashes. */
  readonly values: ReadonlyMap<string, string>;
}

export function parseLine(program: Command, words: readonly string[]): ParsedLine {
  const before = words.slice(0, -1);
  const values = new Map<string, string>();
  const path: string[] = [];
  const args: string[] = [];
  let command = program;
  let option: Option | undefined;
  for (const word of before) {
    if (option !== undefined) {
      values.set(nameOf(option), word);
      option = undefined;
      continue;
    }
    if (word.startsWith("-") && word !== "-") {
      const [flag = "", ...value] = word.split("=");
      const known = optionsOf(command).find(({ long, short }) => long === flag || short === flag);
      const takesValue = known !== undefined && (known.required || known.optional);
      if (takesValue && value.length > 0) {
        values.set(nameOf(known), value.join("="));
      } else if (takesValue) {
        option = known;
      }
      continue;
    }
    const child = args.length > 0 ? undefined : command.commands.find((one) => isNamed(one, word));
    if (child === undefined) {
      args.push(word);
    } else {
      command = child;
      path.push(child.name());
    }
  }
  return { command, path: path.join(" "), args, current: words.at(-1) ?? "", option, values };
}

/** Those of the command, and the global ones, which are accepted everywhere. */
export function optionsOf(command: Command): readonly Option[] {
  return command.parent === null ? command.options : [...command.options, ...rootOf(command).options];
}

/** `group` for `-g, --group <name>`. */
export function nameOf(option: Option): string {
  return (option.long ?? option.flags).replace(/^--/, "");
}

function isNamed(command: Command, word: string): boolean {
  return command.name() === word || command.aliases().includes(word);
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
