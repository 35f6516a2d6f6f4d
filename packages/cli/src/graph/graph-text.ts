import type { ShownEnd, ShownGraph, ShownNode, ShownOutput } from "./shown-graph.ts";

export interface TextOptions {
  /** Whether names can be links, as on a terminal. */
  readonly links: boolean;
}

const containers = "applications.core/containers";

/** The layout of upstream's `rad app graph`, to the letter: scripts read it. */
export function graphText({ application, nodes }: ShownGraph, options: TextOptions): string {
  const blocks = nodes.toSorted(containersFirst).map((node) => `${block(node, options)}\n`);
  return `Displaying application: ${application}\n\n${blocks.length === 0 ? "(empty)\n\n" : blocks.join("")}\n`;
}

function containersFirst(a: ShownNode, b: ShownNode): number {
  const rank = ({ type }: ShownNode): number => (type.toLowerCase() === containers ? 0 : 1);
  return rank(a) - rank(b) || compare(a.type, b.type) || compare(a.name, b.name) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function block(node: ShownNode, { links }: TextOptions): string {
  const { name, type, outbound, inbound, outputResources } = node;
  const withType = (end: ShownEnd): string => `${end.name} (${end.type})`;
  const connections = [
    ...outbound.map((end) => `${name} -> ${withType(end)}`),
    ...inbound.map((end) => `${withType(end)} -> ${name}`),
  ];
  const resources = outputResources.map((output) => `${links ? linked(output) : output.name} (${output.type})`);
  return `Name: ${name} (${type})\n${section("Connections", connections)}${section("Resources", resources)}`;
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? `${heading}: (none)\n` : `${heading}:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** A hyperlink of the terminal (OSC 8). Nothing in the texts can end it early: they have no control characters. */
function linked({ name, portalUrl }: ShownOutput): string {
  return portalUrl === undefined ? name : `\u001b]8;;${portalUrl}\u0007${name}\u001b]8;;\u0007`;
}
