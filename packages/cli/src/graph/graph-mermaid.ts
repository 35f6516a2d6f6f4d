import { describedType } from "./described-type.ts";
import type { ShownGraph } from "./shown-graph.ts";

/** The language that GitHub, GitLab and others draw inside Markdown. Dependencies are dotted. */
export function graphMermaid({ nodes, edges }: ShownGraph): string {
  const names = new Map(nodes.map((node, index) => [node, `n${index + 1}`]));
  return [
    "flowchart LR",
    ...nodes.map((node) => `  ${names.get(node)}["${escaped(node.name)}<br/>${escaped(describedType(node))}"]`),
    ...edges.map(
      ({ from, to, isDependency }) => `  ${names.get(from)} ${isDependency ? "-.->" : "-->"} ${names.get(to)}`,
    ),
    "",
  ].join("\n");
}

/** Letters, digits and what names and types are made of; all else as the code of the character, such as `#34;`. */
function escaped(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} ._/()-]/gu, (character) => `#${character.codePointAt(0)};`);
}
