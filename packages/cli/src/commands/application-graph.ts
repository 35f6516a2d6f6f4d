import type { Command } from "commander";
import { addFamilyFlags } from "../families/choose-families.ts";
import { graphFormats } from "../graph/graph-formats.ts";
import type { GraphOptions } from "../graph/show-graph.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";

/** `rad app graph` */
export function defineGraph(command: Command, context: ContextOf): void {
  addFamilyFlags(command.command("graph"))
    .description(`Show how the resources of an application are connected; -o also takes ${graphFormats.join(", ")}`)
    .argument(
      "[application]",
      "name of the application, or its full id, or a .bicep file, which needs no control plane",
    )
    .option("-a, --application <name>", "name of the application; with a file, whose dependencies are added")
    .option("-g, --group <name>", "resource group; by default the workspace's, and for a file default")
    .option("-p, --parameters <parameter>", "of the file: name=value, @file.json or file.bicepparam", collect)
    .option("--include-icons", "with the icons of the types, for applications of Radius.Core")
    .addHelpText(
      "after",
      examples(
        "rad app graph shop",
        "rad app graph shop -o svg > shop.svg",
        "rad app graph shop -o dot | dot -Tpng > shop.png",
        "rad app graph app.bicep",
        "rad app graph app.bicep -o mermaid",
      ),
    )
    .action(async (given: string | undefined, options: GraphOptions) => {
      const { showGraph } = await import("../graph/show-graph.ts");
      await showGraph(context(graphFormats), given, options);
    });
}

function collect(parameter: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, parameter];
}
