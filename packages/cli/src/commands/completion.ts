import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";

const shells = ["bash", "zsh", "fish", "powershell"];

export function defineCompletion(command: Command, context: ContextOf): void {
  command
    .argument("[shell]", `one of: ${shells.join(", ")}`)
    .addHelpText(
      "after",
      examples(
        "source <(rad completion bash)",
        `rad completion zsh > "\${fpath[1]}/_rad"`,
        "rad completion fish > ~/.config/fish/completions/rad.fish",
        "rad completion powershell | Out-String | Invoke-Expression",
      ),
    )
    .action(async (shell?: string) => {
      const { output } = context(); // refuses bad global options before anything is printed
      if (shell === undefined) {
        command.help();
      }
      if (!shells.includes(shell)) {
        throw new CliError("UnknownCommand", `unknown shell '${shell}', supported are: ${shells.join(", ")}`);
      }
      if (shell === "bash") {
        output.write((await import("../completion/bash-script.ts")).bashScript);
        return;
      }
      const { RootCommand } = await import("@bomb.sh/tab");
      new RootCommand().setup("rad", "rad", shell);
    });
}

/** What the scripts call on every Tab: `rad complete -- <words of the line>`. */
export function defineComplete(command: Command, context: ContextOf): void {
  command
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false)
    .action(async (_: readonly string[], __: object, self: Command) => {
      const { rawArgs } = self.parent as Command & { readonly rawArgs: readonly string[] };
      const { answerCompletion } = await import("../completion/answer-completion.ts");
      await answerCompletion(context(), rawArgs.slice(rawArgs.indexOf("--") + 1));
    });
}
