import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { type GraphNode, type NodeOutcome, walkGraph } from "./walk-graph.ts";

const never = new AbortController().signal;

function graph(edges: Record<string, string[]>): ReadonlyMap<string, GraphNode> {
  return new Map(Object.entries(edges).map(([key, dependsOn]) => [key, { dependsOn }]));
}

/** Any graph without circles: nodes depend on earlier ones only. */
const graphs = fc
  .integer({ min: 1, max: 30 })
  .chain((size) =>
    fc.tuple(
      ...Array.from({ length: size }, (_, n) =>
        fc.uniqueArray(fc.nat(Math.max(0, n - 1)), { maxLength: n === 0 ? 0 : 4 }).map((list) => list.map(String)),
      ),
    ),
  );

it("visits whatever does not depend on a failure once, in order, never more than so many at once", async () => {
  await fc.assert(
    fc.asyncProperty(graphs, fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(29)), async (lists, limit, broken) => {
      const nodes = new Map(lists.map((dependsOn, n) => [String(n), { dependsOn }]));
      const fails = new Set(broken.map(String));
      const done = new Set<string>();
      const visited: string[] = [];
      let active = 0;
      const visit = (key: string): NodeOutcome | Promise<NodeOutcome> => {
        visited.push(key);
        assert.ok(nodes.get(key)?.dependsOn.every((dependency) => done.has(dependency)));
        if (Number(key) % 3 === 0) {
          done.add(key);
          return "done";
        }
        active += 1;
        assert.ok(active <= limit);
        return (async () => {
          await new Promise((resolve) => setImmediate(resolve));
          active -= 1;
          if (fails.has(key)) {
            return "failed";
          }
          done.add(key);
          return "done";
        })();
      };

      await walkGraph({ nodes, limit, visit, stop: never, abandon: never });

      const expected = [...nodes.keys()].filter((key) =>
        nodes.get(key)?.dependsOn.every((dependency) => done.has(dependency)),
      );
      assert.deepEqual(visited.toSorted(), expected.toSorted());
    }),
    { numRuns: 60 },
  );
});

it("starts nothing after it was told to stop, and waits for what runs", async () => {
  const stop = new AbortController();
  const gate = Promise.withResolvers<void>();
  const visited: string[] = [];
  const visit = async (key: string): Promise<NodeOutcome> => {
    visited.push(key);
    await gate.promise;
    return "done";
  };
  const walk = walkGraph({ nodes: graph({ a: [], b: ["a"] }), limit: 1, visit, stop: stop.signal, abandon: never });

  stop.abort();
  gate.resolve();
  await walk;

  assert.deepEqual(visited, ["a"]);
});

it("leaves what runs when it is abandoned or when a visit cannot go on", async () => {
  const abandon = new AbortController();
  const nodes = graph({ a: [], b: [] });
  const stuck = walkGraph({
    nodes,
    limit: 2,
    visit: () => new Promise(() => {}),
    stop: never,
    abandon: abandon.signal,
  });
  abandon.abort(new Error("leave"));

  await assert.rejects(stuck, /leave/);
  await assert.rejects(
    walkGraph({
      nodes,
      limit: 2,
      visit: async (key) => {
        throw new Error(`broken at ${key}`);
      },
      stop: never,
      abandon: never,
    }),
    /broken at a/,
  );
});

it("walks long chains and wide graphs without sinking into them", async () => {
  const chain = new Map(
    Array.from({ length: 50_000 }, (_, n) => [String(n), { dependsOn: n === 0 ? [] : [String(n - 1)] }]),
  );
  let count = 0;
  const visit = (): NodeOutcome => {
    count += 1;
    return "done";
  };

  await walkGraph({ nodes: chain, limit: 1, visit, stop: never, abandon: never });

  assert.equal(count, 50_000);
});
