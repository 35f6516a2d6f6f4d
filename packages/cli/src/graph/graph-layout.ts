import type { GraphLabel } from "@dagrejs/dagre";
import { CliError } from "../cli-error.ts";
import { describedType } from "./described-type.ts";
import type { ShownEdge, ShownGraph, ShownNode } from "./shown-graph.ts";
import type { Run } from "./route-edges.ts";
import { routeEdges } from "./route-edges.ts";
import { fitted, textWidth } from "./text-width.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** From its upper left corner. */
export interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
}

export interface Label extends Rectangle {
  readonly text: string;
  readonly fontSize: number;
}

export interface Box extends Rectangle {
  readonly node: ShownNode;
  readonly name: Label;
  readonly type: Label;
  /** Where the icon goes, if the node has one. */
  readonly icon: Rectangle | undefined;
}

/** Straight pieces; what leads from one to the next is a curve. */
export interface Line {
  readonly edge: ShownEdge;
  readonly runs: readonly Run[];
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
}

const nameSize = 15;
/** How much wider bold letters are. */
const boldness = 1.12;
const typeSize = 11;
const lineHeight = 1.4;
const padding = 14;
const maxTextWidth = 300;
const iconSize = 28;
const iconGap = 10;
const margin = 24;
const betweenBoxes = 28;
const betweenRanks = 90;

/** The layout of as many takes about ten seconds, and of more soon minutes. */
const maxNodes = 1_000;

/** Places every node, and every edge around the nodes between its ends. Nothing overlaps. @throws CliError when there are too many */
export async function layOut({ nodes, edges }: ShownGraph): Promise<GraphLayout> {
  if (nodes.length > maxNodes) {
    throw new CliError(
      "GraphTooLarge",
      `The graph has ${nodes.length} resources, which is too many for a picture: at most ${maxNodes}. Use \`-o dot\` or \`-o json\`.`,
    );
  }
  const joined = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const connected = await layOutConnected(
    nodes.filter((node) => joined.has(node)),
    edges,
  );
  const top = connected.height === 0 ? margin : connected.height - margin + betweenBoxes;
  const alone = layOutAlone(
    nodes.filter((node) => !joined.has(node)),
    top,
  );
  const boxes = [...connected.boxes, ...alone];
  return {
    width: Math.max(2 * margin, ...boxes.map(({ x, width }) => x + width + margin), connected.width),
    height: Math.max(2 * margin, ...boxes.map(({ y, height }) => y + height + margin), connected.height),
    boxes,
    lines: connected.lines,
  };
}

async function layOutConnected(nodes: readonly ShownNode[], edges: readonly ShownEdge[]): Promise<GraphLayout> {
  if (nodes.length === 0) {
    return { width: 0, height: 0, boxes: [], lines: [] };
  }
  const { Graph, layout } = await import("@dagrejs/dagre");
  const options: GraphLabel = {
    rankdir: "LR",
    nodesep: betweenBoxes,
    edgesep: betweenBoxes / 2,
    ranksep: betweenRanks,
    marginx: margin,
    marginy: margin,
  };
  const graph = new Graph().setGraph(options);
  const keys = new Map(nodes.map((node, index) => [node, String(index)]));
  for (const [node, key] of keys) {
    graph.setNode(key, sizeOf(node));
  }
  for (const { from, to } of edges) {
    graph.setEdge(keys.get(from) ?? "", keys.get(to) ?? "", {});
  }
  layout(graph);
  const boxes = new Map(
    nodes.map((node) => {
      const { x, y, width, height } = graph.node(keys.get(node) ?? "") as Rectangle;
      return [node, boxAt(node, x - width / 2, y - height / 2)];
    }),
  );
  const routed = edges.flatMap((edge) => {
    const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
    const { points } = graph.edge(keys.get(edge.from) ?? "", keys.get(edge.to) ?? "") as { readonly points: Point[] };
    return from === undefined || to === undefined ? [] : [{ edge, from, to, through: points }];
  });
  const runs = routeEdges([...boxes.values()], routed);
  const { width = 0, height = 0 } = graph.graph() as GraphLabel;
  return {
    width,
    height,
    boxes: [...boxes.values()],
    lines: routed.map(({ edge }, index) => ({ edge, runs: runs[index] ?? [] })),
  };
}

/** Nodes without edges, in rows about as wide as high. */
function layOutAlone(nodes: readonly ShownNode[], top: number): Box[] {
  const columns = Math.max(1, Math.ceil(Math.sqrt(nodes.length / 2)));
  const columnWidth = Math.max(0, ...nodes.map((node) => sizeOf(node).width)) + betweenBoxes;
  const rowHeight = Math.max(0, ...nodes.map((node) => sizeOf(node).height)) + betweenBoxes;
  return nodes.map((node, index) =>
    boxAt(node, margin + (index % columns) * columnWidth, top + Math.floor(index / columns) * rowHeight),
  );
}

interface Content {
  readonly name: string;
  readonly type: string;
  readonly textWidth: number;
}

function contentOf(node: ShownNode): Content {
  const name = fitted(node.name, nameSize * boldness, maxTextWidth);
  const type = fitted(describedType(node), typeSize, maxTextWidth);
  return { name, type, textWidth: Math.max(textWidth(name, nameSize * boldness), textWidth(type, typeSize)) };
}

function sizeOf(node: ShownNode): { readonly width: number; readonly height: number } {
  const icon = node.icon === undefined ? 0 : iconSize + iconGap;
  return {
    width: Math.ceil(contentOf(node).textWidth + icon + 2 * padding),
    height: Math.ceil((nameSize + typeSize) * lineHeight + 2 * padding),
  };
}

function boxAt(node: ShownNode, x: number, y: number): Box {
  const size = sizeOf(node);
  const content = contentOf(node);
  const left = x + padding + (node.icon === undefined ? 0 : iconSize + iconGap);
  const label = (text: string, fontSize: number, labelY: number, wider = 1): Label => ({
    text,
    fontSize,
    x: left,
    y: labelY,
    width: textWidth(text, fontSize * wider),
    height: fontSize * lineHeight,
  });
  return {
    node,
    x,
    y,
    ...size,
    name: label(content.name, nameSize, y + padding, boldness),
    type: label(content.type, typeSize, y + padding + nameSize * lineHeight),
    icon:
      node.icon === undefined
        ? undefined
        : { x: x + padding, y: y + (size.height - iconSize) / 2, width: iconSize, height: iconSize },
  };
}
