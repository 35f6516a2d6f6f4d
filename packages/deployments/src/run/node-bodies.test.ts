import assert from "node:assert/strict";
import { it } from "node:test";
import type { Plan, PlanNode } from "@rad/templates";
import { NodeBodies } from "./node-bodies.ts";

function planOf(edges: Record<string, readonly string[]>, barriers: readonly string[] = []): Plan {
  const nodes = Object.entries(edges).map(([key, dependsOn]): [string, PlanNode] => [
    key,
    { key, dependsOn, kind: barriers.includes(key) ? "barrier" : "extension" } as PlanNode,
  ]);
  return { kind: "plan", nodes: new Map(nodes), parameters: {}, secrets: [], outputs: [] };
}

it("keeps a body for as long as something that has not run depends on it", () => {
  const bodies = new NodeBodies(planOf({ a: [], b: ["a"], c: ["a"] }), new Set());
  bodies.offer("a", "body");
  bodies.settled("a");
  bodies.offer("b", "nobody reads this");

  bodies.settled("b");
  assert.equal(bodies.get("a"), "body");
  bodies.settled("c");

  assert.equal(bodies.get("a"), undefined);
  assert.equal(bodies.get("b"), undefined);
});

it("keeps the members of a loop for those that depend on the loop", () => {
  const plan = planOf(
    {
      "loop[0]": [],
      "loop[1]": [],
      loop: ["loop[0]", "loop[1]"],
      reader: ["loop"],
    },
    ["loop"],
  );
  const bodies = new NodeBodies(plan, new Set());
  for (const key of ["loop[0]", "loop[1]"]) {
    bodies.offer(key, key);
    bodies.settled(key);
  }

  bodies.settled("loop");
  assert.deepEqual([bodies.get("loop[0]"), bodies.get("loop[1]")], ["loop[0]", "loop[1]"]);
  bodies.settled("reader");

  assert.deepEqual([bodies.get("loop[0]"), bodies.get("loop[1]")], [undefined, undefined]);
});

it("keeps what an output reads to the end", () => {
  const bodies = new NodeBodies(planOf({ a: [], b: ["a"] }), new Set(["a"]));
  bodies.offer("a", 1);

  bodies.settled("b");

  assert.equal(bodies.get("a"), 1);
});
