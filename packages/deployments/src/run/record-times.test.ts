import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "@rad/core/testing";
import { operationType, timestampOf } from "../records/operation-records.ts";
import { Engine } from "./testing/engine-kit.ts";
import { module, template, thing } from "./testing/templates.ts";

/** Less than a lease, which must hold meanwhile. */
const aheadMs = 30_000;
const held = { slow: true, holdEnd: true };
const inner = template({ quick: thing("quick", held), inner: thing("inner", held, { dependsOn: ["quick"] }) });
const outer = template({ outer: thing("outer", held), m: module("m", inner) });

for (const [what, finish] of [
  [
    "goes on",
    async (engine: Engine) => {
      engine.target.release("outer");
      await until("it is done", async () => (await engine.recordLines()).some((line) => line.includes("outer Succ")));
      engine.target.release("inner");
    },
  ],
  [
    "is cancelled",
    async (engine: Engine, id: string) => {
      await engine.store.operations.requestCancel(id, "enough");
      engine.target.release("outer");
      engine.target.release("inner");
    },
  ],
] as const) {
  it(`changes records at later and later times when a deployment ${what} where the clock is behind`, async () => {
    await using engine = await Engine.open();
    const times: Promise<string>[] = [];
    using _subscription = engine.store.subscribe((event) => {
      if (
        event.kind === "progress" &&
        typeof event.document === "object" &&
        event.document.id.includes("/operations/")
      ) {
        times.push(timeOf(engine, event.document.id));
      }
    });
    const first = engine.worker();
    const id = await engine.submit({ template: outer });
    await until("the first things were sent", () => engine.target.finishes.length === 2);
    engine.clock.aheadMs += aheadMs;
    engine.target.release("quick");
    await until("the inner thing was sent", () => engine.target.finishes.length === 3);
    await first.drain();

    engine.clock.aheadMs -= aheadMs;
    engine.worker();
    await finish(engine, id);
    await engine.ended(id);

    const seen = await Promise.all(times);
    assert.ok(seen.length >= 8, `${seen.length} changes`);
    assert.deepEqual(seen, seen.toSorted());
    assert.equal(new Set(seen).size, seen.length);
    const last = (await engine.store.list({ type: operationType, under: "/planes" })).items.map(timestampOf).toSorted();
    assert.equal(last.at(-1), seen.at(-1));
  });
}

async function timeOf({ store }: Engine, id: string): Promise<string> {
  const record = await store.get(id);
  return record === undefined ? "" : timestampOf(record);
}
