import type { Box, GraphLayout, Line, Point } from "./graph-layout.ts";
import { layOut } from "./graph-layout.ts";
import type { Run } from "./route-edges.ts";
import type { ShownGraph } from "./shown-graph.ts";

/** A picture that stands alone: boxes with name and type, arrows from each resource to what it uses. */
export async function graphSvg(graph: ShownGraph): Promise<string> {
  return draw(graph.application, await layOut(graph));
}

/** The reader's device chooses between the two sets of colours; programs that know no media queries take the light one. */
const style = `
    .paper { fill: #ffffff }
    .box { fill: #f6f8fa; stroke: #8c959f }
    .name { fill: #1f2328; font-weight: 600 }
    .type { fill: #59636e }
    .line { fill: none; stroke: #57606a; stroke-width: 1.5 }
    .dependency { stroke-dasharray: 5 4 }
    .head { fill: #57606a }
    text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117 }
      .box { fill: #161b22; stroke: #6e7681 }
      .name { fill: #f0f6fc }
      .type { fill: #9198a1 }
      .line { stroke: #9198a1 }
      .head { fill: #9198a1 }
    }
  `;

const loopWidth = 16;
const empty = { width: 320, height: 80 };

function draw(application: string, { width, height, boxes, lines }: GraphLayout): string {
  const size = boxes.length === 0 ? empty : { width: Math.ceil(width), height: Math.ceil(height) };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" role="img">`,
    `  <title>${escaped(application)}</title>`,
    `  <style>${style}</style>`,
    "  <defs>",
    '    <marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">',
    '      <path class="head" d="M 0 0 L 10 5 L 0 10 z"/>',
    "    </marker>",
    "  </defs>",
    '  <rect class="paper" width="100%" height="100%"/>',
    ...(boxes.length === 0 ? [`  <text class="type" x="24" y="45" font-size="15">(empty)</text>`] : []),
    ...lines.map(drawLine),
    ...boxes.flatMap(drawBox),
    "</svg>",
    "",
  ].join("\n");
}

function drawLine({ runs, edge }: Line): string {
  const kind = edge.isDependency ? "line dependency" : "line";
  return `  <path class="${kind}" d="${runs.map(drawRun).join(" ")}" marker-end="url(#arrow)"/>`;
}

/** Straight, and from the run before it in a curve that leaves and arrives straight. */
function drawRun({ from, to }: Run, index: number, runs: readonly Run[]): string {
  const before = runs[index - 1];
  if (before === undefined) {
    return `M ${at(from)} L ${at(to)}`;
  }
  const start = before.to;
  const isLoop = start.x === from.x;
  const middle = isLoop ? from.x + loopWidth : (start.x + from.x) / 2;
  return `C ${at({ x: middle, y: start.y })} ${at({ x: middle, y: from.y })} ${at(from)} L ${at(to)}`;
}

function at({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function drawBox({ node, x, y, width, height, name, type, icon }: Box): string[] {
  return [
    "  <g>",
    `    <title>${escaped(node.id)}</title>`,
    `    <rect class="box" x="${round(x)}" y="${round(y)}" width="${width}" height="${height}" rx="8"/>`,
    ...(icon === undefined || node.icon === undefined
      ? []
      : [
          `    <image x="${round(icon.x)}" y="${round(icon.y)}" width="${icon.width}" height="${icon.height}" href="${imageOf(node.icon)}"/>`,
        ]),
    ...[
      { ...name, kind: "name" },
      { ...type, kind: "type" },
    ].map(
      (label) =>
        `    <text class="${label.kind}" x="${round(label.x)}" y="${round(label.y + label.fontSize)}" font-size="${label.fontSize}">${escaped(label.text)}</text>`,
    ),
    "  </g>",
  ];
}

/** As an image, an icon can run nothing and load nothing, whatever is in it. */
function imageOf(icon: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(icon, "utf8").toString("base64")}`;
}

/** For text and for values in double quotes. XML cannot have the last two of these at all. */
function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll(/[\uFFFE\uFFFF]/g, "\uFFFD");
}
