import type { Command } from "commander";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";

export function defineDemo(command: Command, context: ContextOf): void {
  command
    .option("--keep", "keep the temporary folder, to look at what is in it")
    .addHelpText("after", examples("rad demo"))
    .action(async (options: { keep?: boolean }) => {
      const { runDemo } = await import("../demo/run-demo.ts");
      await runDemo(context(), options.keep === true);
    });
}
