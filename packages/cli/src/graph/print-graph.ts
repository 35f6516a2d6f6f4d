import type { JsonObject } from "@rad/core";
import type { CommandContext } from "../command-context.ts";
import type { GraphFormat } from "./graph-formats.ts";
import { shownGraph } from "./shown-graph.ts";

/** Prints a graph, as the control plane sends it, in the format that `-o` asks for. */
export async function printGraph(context: CommandContext, application: string, document: JsonObject): Promise<void> {
  const { output } = context;
  if (output.format === "json") {
    output.json(document);
    return;
  }
  output.write(await inFormat(context, application, document));
}

async function inFormat(context: CommandContext, application: string, document: JsonObject): Promise<string> {
  const graph = shownGraph(application, document);
  const format = (context.ownFormat ?? "text") as GraphFormat;
  switch (format) {
    case "text":
      return (await import("./graph-text.ts")).graphText(graph, { links: context.host.stdout.isTTY === true });
    case "dot":
      return (await import("./graph-dot.ts")).graphDot(graph);
    case "mermaid":
      return (await import("./graph-mermaid.ts")).graphMermaid(graph);
    case "svg":
      return await (await import("./graph-svg.ts")).graphSvg(graph);
    default:
      return format satisfies never;
  }
}
