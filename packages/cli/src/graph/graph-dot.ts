import { describedType } from "./described-type.ts";
import type { ShownGraph } from "./shown-graph.ts";

/** The language of Graphviz: `rad app graph shop -o dot | dot -Tpng > shop.png`. Dependencies are dashed. */
export function graphDot({ application, nodes, edges }: ShownGraph): string {
  const names = new Map(nodes.map((node, index) => [node, `n${index + 1}`]));
  return [
    `digraph ${quoted(application)} {`,
    "  rankdir=LR;",
    '  node [shape=box, style=rounded, fontname="Helvetica"];',
    ...nodes.map((node) => {
      const label = `${escaped(node.name)}\\n${escaped(describedType(node))}`;
      return `  ${names.get(node)} [label="${label}", tooltip=${quoted(node.id)}];`;
    }),
    ...edges.map(
      ({ from, to, isDependency }) =>
        `  ${names.get(from)} -> ${names.get(to)}${isDependency ? " [style=dashed]" : ""};`,
    ),
    "}",
    "",
  ].join("\n");
}

function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

/** As entities, which labels and tooltips may have: a backslash begins an escape sequence there, and `&` an entity. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("\\", "&#92;").replaceAll('"', "&quot;");
}
