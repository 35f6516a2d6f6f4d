import { CliError, Interrupted } from "./cli-error.ts";
import type { CommandContext } from "./command-context.ts";

export interface Question {
  readonly text: string;
  /** `--yes` was given. */
  readonly assumeYes: boolean;
}

/**
 * Asks before something is lost. Enter alone means No, which is said, so that nobody takes the silence for a Yes.
 * @throws CliError `ConfirmationRequired` where nobody can answer, Interrupted on Ctrl+C
 */
export async function confirm(context: CommandContext, question: Question): Promise<boolean> {
  const { host, output } = context;
  if (question.assumeYes) {
    return true;
  }
  if (!context.interactive) {
    throw new CliError(
      "ConfirmationRequired",
      `${question.text} There is no terminal to ask on: re-run with \`--yes\` to confirm.`,
    );
  }
  const answer = await askYesOrNo(context, { message: question.text, yes: "Yes", no: "No", signal: host.signal });
  if (answer === true) {
    return true;
  }
  output.note("Cancelled; nothing was changed.");
  if (answer === "interrupted") {
    throw new Interrupted();
  }
  if (output.format === "json") {
    output.json({ status: "cancelled" });
  }
  return false;
}

interface YesOrNo {
  readonly message: string;
  readonly yes: string;
  readonly no: string;
  readonly signal?: AbortSignal;
}

/** Takes `y`, `n`, Enter for No, or the arrow keys and Enter, on stderr. */
export async function askYesOrNo(
  { host }: CommandContext,
  { message, yes, no, signal }: YesOrNo,
): Promise<boolean | "interrupted"> {
  const { confirm: ask, isCancel } = await import("@clack/prompts");
  const answer = await ask({
    message: `${message} (y/N)`,
    active: yes,
    inactive: no,
    initialValue: false,
    input: host.stdin,
    output: host.stderr,
    ...(signal === undefined ? {} : { signal }),
  });
  return isCancel(answer) ? "interrupted" : answer;
}
