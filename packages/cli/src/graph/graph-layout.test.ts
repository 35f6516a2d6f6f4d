import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Box, GraphLayout, Point, Rectangle } from "./graph-layout.ts";
import { layOut } from "./graph-layout.ts";
import type { Run } from "./route-edges.ts";
import { largeGraph, sampleGraph, smallGraph } from "./sample-graphs.ts";
import { shownGraph } from "./shown-graph.ts";

for (const [size, document] of [
  [3, smallGraph],
  [12, largeGraph(12)],
  [50, largeGraph(50)],
] as const) {
  test(`no two boxes or labels of ${size} resources overlap, and no line crosses a box`, async () => {
    const layout = await layOut(shownGraph("shop", document));

    assert.equal(layout.boxes.length, size);
    assertClear(layout);
  });
}

test("a graph with too many resources for a picture says what to use", async () => {
  await assert.rejects(layOut(shownGraph("shop", largeGraph(1_001))), { code: "GraphTooLarge" });
});

test("nothing overlaps whatever is connected with what, in circles and to itself", async () => {
  const sample = fc.record({
    name: fc.oneof(fc.string({ minLength: 1 }), fc.constant("W".repeat(100))),
    type: fc.constantFrom("A.B/c", "Applications.Datastores/redisCaches"),
    to: fc.uniqueArray(fc.nat(7)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(sample, { maxLength: 8 }), async (samples) => {
      const named = samples.map((one, index) => ({
        ...one,
        name: `${index}-${one.name.replaceAll("/", "")}`,
        to: one.to.filter((end) => end < samples.length),
      }));
      assertClear(await layOut(shownGraph("shop", sampleGraph(named))));
    }),
    { numRuns: 60 },
  );
});

function assertClear({ width, height, boxes, lines }: GraphLayout): void {
  const paper = { x: 0, y: 0, width, height };
  for (const box of boxes) {
    assert.ok(contains(paper, box), `${box.node.name} is on the paper`);
    const parts = [box.name, box.type, ...(box.icon === undefined ? [] : [box.icon])];
    for (const part of parts) {
      assert.ok(contains(box, part), `${box.node.name} is within its box`);
    }
    assert.ok(!overlap(box.name, box.type), `${box.node.name} does not touch its type`);
  }
  for (const [index, box] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) {
      assert.ok(!overlap(box, other), `${box.node.name} and ${other.node.name}`);
    }
  }
  for (const { edge, runs } of lines) {
    const inner = pointsOf(runs).slice(1, -1);
    for (const box of boxes) {
      const crossing = inner.find((point) => isInside(point, box));
      assert.equal(crossing, undefined, `${edge.from.name} -> ${edge.to.name} crosses ${box.node.name}`);
    }
    const [start, end] = [runs[0]?.from, runs.at(-1)?.to];
    assert.ok(start !== undefined && touches(start, boxOf(boxes, edge.from.id)));
    assert.ok(end !== undefined && touches(end, boxOf(boxes, edge.to.id)));
  }
}

/** Many points of a line: those of its straight pieces, and those of the curves between them. */
function pointsOf(runs: readonly Run[]): Point[] {
  const steps = Array.from({ length: 21 }, (_, index) => index / 20);
  return runs.flatMap(({ from, to }, index) => {
    const before = runs[index - 1]?.to;
    const curve =
      before === undefined || before.x === from.x
        ? []
        : steps.map((t) => ({
            x: before.x + (from.x - before.x) * bezier(t, 0.5, 0.5),
            y: before.y + (from.y - before.y) * bezier(t, 0, 1),
          }));
    return [...curve, ...steps.map((t) => ({ x: from.x + (to.x - from.x) * t, y: from.y }))];
  });
}

/** A cubic curve from 0 to 1. */
function bezier(t: number, first: number, second: number): number {
  return 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t ** 2 * second + t ** 3;
}

function boxOf(boxes: readonly Box[], id: string): Box {
  return boxes.find(({ node }) => node.id === id) ?? assert.fail(id);
}

function touches({ x, y }: Point, box: Rectangle): boolean {
  const isAtSide = Math.abs(x - box.x) < 0.01 || Math.abs(x - box.x - box.width) < 0.01;
  return isAtSide && y > box.y && y < box.y + box.height;
}

function isInside({ x, y }: Point, box: Rectangle): boolean {
  return x > box.x + 0.01 && x < box.x + box.width - 0.01 && y > box.y && y < box.y + box.height;
}

function contains(outer: Rectangle, inner: Rectangle): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width + 0.01 &&
    inner.y + inner.height <= outer.y + outer.height + 0.01
  );
}

function overlap(a: Rectangle, b: Rectangle): boolean {
  const limit = 0.01;
  return (
    a.x + limit < b.x + b.width &&
    b.x + limit < a.x + a.width &&
    a.y + limit < b.y + b.height &&
    b.y + limit < a.y + a.height
  );
}
