import type { Command } from "commander";
import type { DemoOptions } from "../demo/run-demo.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";

export function defineDemo(command: Command, context: ContextOf): void {
  command
    .option("--keep", "keep the temporary folder, to look at what is in it")
    .option("--kube-context <name>", "deploy into a cluster; without it, objects go to the temporary folder")
    .option("--config-file <path>", "a server's configuration: take where Terraform comes from (terraform.installer)")
    .addHelpText("after", examples("rad demo", "rad demo --kube-context kind-dev"))
    .action(async (options: DemoOptions) => {
      const { runDemo } = await import("../demo/run-demo.ts");
      await runDemo(context(), options);
    });
}
