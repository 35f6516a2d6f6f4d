import { CliError, Interrupted } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";

/** A workspace for a control plane of this machine may be there by now. */
export const cancelled = "Cancelled; no environment and no file was created.";

/** Somebody to ask, or the answers that `--yes` gives: the ones that are offered first. */
export interface Questions {
  /** The value of the option that is chosen; with one option nothing is asked. */
  choose(message: string, options: readonly Choice[]): Promise<string>;
  /** @param check what is wrong with an answer, if anything */
  text(message: string, offered: string, check: (answer: string) => string | undefined): Promise<string>;
  yesOrNo(message: string): Promise<boolean>;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** @throws CliError `ConfirmationRequired` where nobody can answer and `--yes` was not given */
export function createQuestions(context: CommandContext, assumeYes: boolean): Questions {
  if (assumeYes) {
    return {
      choose: async (_, options) => options[0]?.value ?? "",
      text: async (_, offered) => offered,
      yesOrNo: async () => true,
    };
  }
  if (!context.interactive) {
    throw new CliError(
      "ConfirmationRequired",
      "`rad init` asks a few questions, and there is no terminal to ask on: re-run with `--yes` to take the defaults.",
    );
  }
  return onTerminal(context);
}

function onTerminal(context: CommandContext): Questions {
  const { stdin: input, stderr: output, signal } = context.host;
  const streams = { input, output, signal };
  return {
    choose: async (message, options) => {
      const [first] = options;
      if (options.length === 1 && first !== undefined) {
        return first.value;
      }
      const { select } = await import("@clack/prompts");
      return answered(context, await select({ message, options: [...options], ...streams }));
    },
    text: async (message, offered, check) => {
      const { text } = await import("@clack/prompts");
      const validate = (answer = ""): string | undefined => check(answer === "" ? offered : answer);
      return answered(
        context,
        await text({ message, placeholder: offered, defaultValue: offered, validate, ...streams }),
      );
    },
    yesOrNo: async (message) => {
      const { confirm } = await import("@clack/prompts");
      return answered(context, await confirm({ message: `${message} (Y/n)`, initialValue: true, ...streams }));
    },
  };
}

/** clack answers with a symbol after Ctrl+C. */
function answered<T>(context: CommandContext, answer: T): Exclude<T, symbol> {
  if (typeof answer === "symbol") {
    context.output.note(cancelled);
    throw new Interrupted();
  }
  return answer as Exclude<T, symbol>;
}
