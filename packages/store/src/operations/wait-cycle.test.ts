import assert from "node:assert/strict";
import { it } from "node:test";
import { refuseCycle } from "./wait-cycle.ts";

const edges = (...pairs: readonly string[]) => pairs.map((pair) => ({ source: pair[0] ?? "", target: pair[1] ?? "" }));

it("an operation may wait for others that wait for others", () => {
  refuseCycle("a", ["b", "c"], edges("bd", "cd", "de"));
});

it("a circle is named by its shortest path", () => {
  assert.throws(() => refuseCycle("a", ["b", "c"], edges("bx", "xy", "ya", "cd", "da")), {
    code: "WaitCycle",
    path: ["a", "c", "d", "a"],
  });
});

it("waiting for oneself is the smallest circle", () => {
  assert.throws(() => refuseCycle("a", ["b", "a"], []), { code: "WaitCycle", path: ["a", "a"] });
});
