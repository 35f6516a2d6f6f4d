import assert from "node:assert/strict";
import { it } from "node:test";
import { findCycles, findCyclicGroups } from "./cycles.ts";

it("finds the shortest chain of each item, itself first", () => {
  const graph: Readonly<Record<string, readonly string[]>> = {
    a: ["b"],
    b: ["c", "a"],
    c: ["a", "d"],
    d: [],
    e: ["e"],
    f: ["a"],
  };

  const cycles = findCycles(Object.keys(graph), (item) => graph[item] ?? []);

  assert.deepEqual(
    cycles,
    new Map([
      ["a", ["a", "b"]],
      ["b", ["b", "a"]],
      ["c", ["c", "a", "b"]],
      ["e", ["e"]],
    ]),
  );
});

it("finds all items that reach each other, also those that no shortest chain has", () => {
  const graph: Readonly<Record<string, readonly string[]>> = {
    a: ["b", "c"],
    b: ["a"],
    c: ["c", "d"],
    d: ["a", "e"],
    e: [],
    f: ["f", "a"],
  };

  const groups = findCyclicGroups(Object.keys(graph), (item) => graph[item] ?? []);

  const all = new Set(["a", "b", "c", "d"]);
  assert.deepEqual(
    groups,
    new Map([
      ["a", all],
      ["b", all],
      ["c", all],
      ["d", all],
      ["f", new Set(["f"])],
    ]),
  );
});

it("long chains are found without recursion, and long cycles without a search for each item", () => {
  const length = 100_000;
  const items = Array.from({ length }, (_, index) => index);

  const chain = findCycles(items, (item) => (item + 1 < length ? [item + 1] : []));
  const ring = findCycles(items, (item) => [(item + 1) % length]);

  assert.equal(chain.size, 0);
  assert.equal(ring.size, length);
});
