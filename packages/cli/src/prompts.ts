import { CliError } from "./cli-error.ts";
import type { CommandContext } from "./command-context.ts";

export interface Question {
  readonly text: string;
  /** `--yes` was given. */
  readonly assumeYes: boolean;
}

/**
 * Asks before something is lost; `No` is listed first, so that Enter alone loses nothing.
 * @throws CliError `ConfirmationRequired` where nobody can answer, `Canceled` on Ctrl+C.
 */
export async function confirm(context: CommandContext, question: Question): Promise<boolean> {
  if (question.assumeYes) {
    return true;
  }
  if (!context.interactive) {
    throw new CliError(
      "ConfirmationRequired",
      `${question.text} There is no terminal to ask on: re-run with \`--yes\` to confirm.`,
    );
  }
  const { isCancel, select } = await import("@clack/prompts");
  const answer = await select({
    message: question.text,
    options: [
      { value: "no", label: "No" },
      { value: "yes", label: "Yes" },
    ],
    input: context.host.stdin,
    output: context.host.stderr,
    signal: context.host.signal,
  });
  if (isCancel(answer)) {
    throw new CliError("Canceled", "exiting command");
  }
  return answer === "yes";
}
