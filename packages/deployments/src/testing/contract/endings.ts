import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { ApiError } from "@rad/core";
import { TargetKit } from "./target-kit.ts";
import { idIn, type OpenWorld, propertiesOf, type TargetAbilities } from "./target-world.ts";

/** Of changes that are accepted and carried out later. */
export function describeEndings(name: string, can: TargetAbilities, open: OpenWorld): void {
  const it = (what: string, run: (kit: TargetKit) => Promise<void>): void => {
    test(`${name}: ${what}`, async () => {
      await using kit = await TargetKit.open(open);
      await run(kit);
    });
  };

  it("what takes its time is finished by another instance, as often as it is asked", async (kit) => {
    const sample = kit.sample("one", { course: "slow", size: 1 });

    const sent = await kit.put(sample);
    assert.ok(sent.kind === "accepted");
    const target = await kit.world.reopen();
    const finished = await kit.finish(sample, sent.tracking, { target });
    const again = await kit.finish(sample, sent.tracking, { target });

    assert.equal(sent.change, "create");
    assert.equal(kit.effects[0]?.tracking, sent.tracking);
    assert.equal(propertiesOf(finished)["size"], 1);
    assert.deepEqual(again, finished);
    assert.deepEqual(await target.read({ ...sample, ...kit.orderedBy(), id: idIn(finished) }), finished);
  });

  it("what fails in the end says so, as often as it is asked", async (kit) => {
    const sample = kit.sample("one", { course: "failing" });
    const sent = await kit.put(sample);
    assert.ok(sent.kind === "accepted");

    const failure = await failureOf(kit.finish(sample, sent.tracking));
    const again = await failureOf(kit.finish(sample, sent.tracking, { target: await kit.world.reopen() }));

    assert.ok(failure instanceof ApiError && !failure.transient, String(failure));
    assert.ok(again instanceof ApiError);
    assert.deepEqual(again.toDetail(), failure.toDetail());
  });

  if (can.keepKeys) {
    it("the same key finds what is under way", async (kit) => {
      const sample = kit.sample("one", { course: "slow", size: 1 });
      const key = randomUUID();

      const first = await kit.put(sample, { key });
      const again = await kit.put(sample, { key, sentBefore: true });

      assert.ok(first.kind === "accepted" && again.kind === "accepted");
      assert.deepEqual([again.change, again.tracking], [first.change, first.tracking]);
      assert.equal(propertiesOf(await kit.finish(sample, again.tracking))["size"], 1);
    });
  }

  it("nobody has to wait for what never ends", async (kit) => {
    const sample = kit.sample("one", { course: "endless" });
    const sent = await kit.put(sample);
    assert.ok(sent.kind === "accepted");
    const stop = new AbortController();

    const waiting = kit.finish(sample, sent.tracking, { signal: stop.signal });
    setImmediate(() => stop.abort(new Error("nobody waits")));

    await assert.rejects(waiting, { message: "nobody waits" });
  });
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => assert.fail("it succeeded"),
    (error: unknown) => error,
  );
}
