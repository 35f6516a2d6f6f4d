/** A step of a page that readers follow: a file to write, or a command to run. */
export type PrintedStep =
  | { readonly kind: "file"; readonly line: number; readonly name: string; readonly text: string }
  | {
      readonly kind: "command";
      readonly line: number;
      readonly command: string;
      /** What the page shows below it; nothing when the page leaves it out. */
      readonly output: readonly string[];
      readonly status: number;
    };

/**
 * What a page asks its readers to do, in order:
 *
 * - a block that starts with ```` ```console ```` has commands, each after `$ `, with their output below them. A command
 *   goes on in the next line after a backslash. With ```` ```console exit=1 ```` the last command of the block fails so.
 * - a block that names a file behind its language, as in ```` ```yaml boards.yaml ````, is that file's content.
 */
export function printedSteps(page: string): PrintedStep[] {
  const steps: PrintedStep[] = [];
  for (const match of page.matchAll(/^```(\w+) ?([^\n]*)\n(.*?)^```$/gms)) {
    const [, language = "", info = "", text = ""] = match;
    const line = page.slice(0, match.index).split("\n").length + 1;
    if (language === "console") {
      const status = Number(/^exit=(\d+)$/.exec(info)?.[1] ?? 0);
      steps.push(...commandsOf(text, line, status));
    } else if (/^[\w./-]+\.\w+$/.test(info)) {
      steps.push({ kind: "file", line, name: info, text });
    }
  }
  return steps;
}

function commandsOf(text: string, start: number, status: number): PrintedStep[] {
  const commands: { line: number; command: string; output: string[] }[] = [];
  let isOpen = false;
  text
    .trimEnd()
    .split("\n")
    .forEach((line, index) => {
      const last = commands.at(-1);
      if (isOpen && last !== undefined) {
        last.command += `\n${line}`;
      } else if (line.startsWith("$ ")) {
        commands.push({ line: start + index, command: line.slice(2), output: [] });
      } else if (last === undefined) {
        throw new Error(`Line ${start + index}: a console block starts with a command, after "$ ".`);
      } else {
        last.output.push(line);
      }
      isOpen = line.endsWith("\\");
    });
  return commands.map((command, index) => ({
    kind: "command",
    ...command,
    status: index === commands.length - 1 ? status : 0,
  }));
}

/** Whether output is what a page shows: `…` stands for anything within a line, and alone for any number of lines. */
export function isAsPrinted(printed: readonly string[], output: string): boolean {
  if (printed.length === 0) {
    return true;
  }
  const lines = printed.map((line) =>
    line.trim() === "…" ? "(?:[^\\n]*\\n)*?" : `${line.trimEnd().split("…").map(escapeForRegExp).join("[^\\n]*")}\\n`,
  );
  const text = output.trimEnd().replaceAll(/[ \t\r]+$/gm, "");
  return new RegExp(`^${lines.join("")}$`).test(`${text}\n`);
}

function escapeForRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
