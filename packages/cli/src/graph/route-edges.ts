import type { Point, Rectangle } from "./graph-layout.ts";

/** A straight piece from left to right, or from right to left. */
export interface Run {
  readonly from: Point;
  readonly to: Point;
}

interface RoutedEdge {
  readonly from: Rectangle;
  readonly to: Rectangle;
  /** Where the layout has it pass between boxes. */
  readonly through: readonly Point[];
}

interface Column {
  readonly left: number;
  readonly right: number;
}

/** How far a line goes on straight beside a column, so that arrows point straight at boxes. */
const straight = 12;

/** How far a line that comes back to its own box goes away from it. */
const loop = 24;

/**
 * Leads each edge out of one side of its box and into the opposite side of the other. Boxes stand in columns: a line crosses
 * a column straight, where the layout has kept a place free, and goes up or down only between columns, so it crosses no box.
 */
export function routeEdges(boxes: readonly Rectangle[], edges: readonly RoutedEdge[]): (readonly Run[])[] {
  const columns = columnsOf(boxes);
  const columnAt = (x: number): Column | undefined => columns.find(({ left, right }) => left <= x && x <= right);
  const ports = portsOf(edges);
  return edges.map((edge) => {
    const [start, end] = ports.get(edge) ?? [0, 0];
    if (edge.from === edge.to) {
      return loopAt(edge.from);
    }
    const isForward = centerOf(edge.from) < centerOf(edge.to);
    const [leaving, arriving] = isForward ? (["right", "left"] as const) : (["left", "right"] as const);
    const passed = edge.through.flatMap(({ x, y }) => {
      const column = columnAt(x);
      const isEnd = column === columnAt(centerOf(edge.from)) || column === columnAt(centerOf(edge.to));
      return column === undefined || isEnd ? [] : [{ from: { x: column[arriving], y }, to: { x: column[leaving], y } }];
    });
    const first = columnAt(centerOf(edge.from))?.[leaving] ?? 0;
    const last = columnAt(centerOf(edge.to))?.[arriving] ?? 0;
    return [
      { from: { x: sideOf(edge.from, leaving), y: start }, to: { x: first, y: start } },
      ...passed,
      { from: { x: last, y: end }, to: { x: sideOf(edge.to, arriving), y: end } },
    ];
  });
}

function columnsOf(boxes: readonly Rectangle[]): Column[] {
  const byCenter = Map.groupBy(boxes, (box) => Math.round(centerOf(box)));
  return [...byCenter.values()].map((column) => ({
    left: Math.min(...column.map(({ x }) => x)) - straight,
    right: Math.max(...column.map(({ x, width }) => x + width)) + straight,
  }));
}

/** Where each edge leaves and enters, so that those on one side of a box are apart and do not cross there. */
function portsOf(edges: readonly RoutedEdge[]): ReadonlyMap<RoutedEdge, readonly [start: number, end: number]> {
  const places = new Map<Rectangle, Map<string, { readonly edge: RoutedEdge; readonly towards: number }[]>>();
  const place = (box: Rectangle, other: Rectangle, edge: RoutedEdge, towards: number): void => {
    const sides = places.get(box) ?? new Map<string, { readonly edge: RoutedEdge; readonly towards: number }[]>();
    const side = centerOf(other) > centerOf(box) ? "right" : "left";
    sides.set(side, [...(sides.get(side) ?? []), { edge, towards }]);
    places.set(box, sides);
  };
  for (const edge of edges.filter(({ from, to }) => from !== to)) {
    place(edge.from, edge.to, edge, edge.through.at(1)?.y ?? edge.to.y);
    place(edge.to, edge.from, edge, edge.through.at(-2)?.y ?? edge.from.y);
  }
  const ports = new Map<RoutedEdge, [number, number]>();
  for (const [box, sides] of places) {
    for (const side of sides.values()) {
      side.sort((a, b) => a.towards - b.towards);
      for (const [index, { edge }] of side.entries()) {
        const y = box.y + (box.height * (index + 1)) / (side.length + 1);
        const [start, end] = ports.get(edge) ?? [0, 0];
        ports.set(edge, box === edge.from ? [y, end] : [start, y]);
      }
    }
  }
  return ports;
}

function loopAt(box: Rectangle): Run[] {
  const side = sideOf(box, "right");
  const [upper, lower] = [box.y + box.height / 4, box.y + (box.height * 3) / 4];
  return [
    { from: { x: side, y: upper }, to: { x: side + loop, y: upper } },
    { from: { x: side + loop, y: lower }, to: { x: side, y: lower } },
  ];
}

function sideOf(box: Rectangle, side: "left" | "right"): number {
  return side === "left" ? box.x : box.x + box.width;
}

function centerOf({ x, width }: Rectangle): number {
  return x + width / 2;
}
