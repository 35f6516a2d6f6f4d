import assert from "node:assert/strict";
import { it } from "node:test";
import { objectMember, systemClock } from "@rad/core";
import { MovingClock } from "@rad/core/testing";
import type { Store } from "@rad/store";
import { recordAfterwards } from "../record-afterwards.ts";
import { BoxProcess } from "../testing/boxes/box-process.ts";
import { BoxTarget } from "../testing/boxes/box-target.ts";
import { attempt } from "./testing/attempt.ts";
import { assertWhole, boxCount, boxDeployment, boxOutcome, scopeOf } from "./testing/box-deployments.ts";
import { CrashingStore, type CrashTime } from "./testing/crashing-store.ts";
import { Engine } from "./testing/engine-kit.ts";
import { ThingsTarget } from "./testing/things-target.ts";

const times: readonly CrashTime[] = ["before", "after"];

function openEngine(provider: BoxProcess): Promise<Engine> {
  return Engine.open({
    concurrency: 3,
    clock: new MovingClock((ms, signal) => systemClock.sleep(Math.min(ms, 1), signal)),
    targets: (store) => ({
      other: recordAfterwards(new BoxTarget({ url: provider.url }), { store, clock: systemClock }),
    }),
  });
}

/** Runs until the process dies at the `n`-th write. @returns how many there were. */
async function runUntilCrash(engine: Engine, account: string, n: number, time: CrashTime): Promise<number> {
  await engine.submit(boxDeployment(account));
  const crashing = new CrashingStore(engine.store, n, time);
  await attempt(engine, crashing.store, new ThingsTarget(crashing.store));
  engine.clock.aheadMs += 120_000; // the lease of the dead process runs out
  return crashing.writes;
}

async function resume(engine: Engine, store: Store = engine.store): Promise<void> {
  assert.ok(await attempt(engine, store, new ThingsTarget(store)));
}

it("a deployment to a provider outside goes on after a crash at any write, and makes nothing twice", async (t) => {
  await using provider = await BoxProcess.start();
  await using engine = await openEngine(provider);
  const writes = await runUntilCrash(engine, "calm", Infinity, "before");
  await assertWhole(engine, provider, "calm", "calm");
  assert.ok(writes > 2 * boxCount, "intents and effects are stored");

  for (const time of times) {
    for (let n = 1; n <= writes; n += 1) {
      const account = `${time}-${n}`;
      await runUntilCrash(engine, account, n, time);
      const { provisioningState } = await engine.properties("main", scopeOf(account));
      if (provisioningState !== "Succeeded") {
        await resume(engine);
      }
      await assertWhole(engine, provider, account, account);
    }
  }
  t.diagnostic(`${writes} writes, twice`);
});

it("a deployment that is cancelled after a crash at any write has recorded what it made", async (t) => {
  await using provider = await BoxProcess.start();
  let settled = 0;
  const writes = await (async () => {
    await using engine = await openEngine(provider);
    return await runUntilCrash(engine, "calm", Infinity, "before");
  })();
  for (const time of times) {
    for (let n = 1; n < writes; n += 1) {
      const account = `${time}-${n}`;
      await using engine = await openEngine(provider);
      await runUntilCrash(engine, account, n, time);
      const inDoubt = (await engine.records("main", scopeOf(account))).filter(
        (record) => record["provisioningState"] === "Running" && record["statusCode"] === undefined,
      );
      settled += inDoubt.length;
      const { items } = await engine.store.list({ under: scopeOf(account), type: "Microsoft.Resources/deployments" });
      const operationId = items.find(({ id }) => id.endsWith("/main"))?.operationId ?? assert.fail("it has ended");
      await engine.store.operations.requestCancel(operationId, "enough");
      engine.worker();

      assert.equal((await engine.ended(operationId)).state, "Canceled", account);

      const { created, recorded, listed } = await boxOutcome(engine, provider, account);
      assert.deepEqual(recorded, created, account);
      assert.ok(new Set(listed).isSubsetOf(new Set(created)), account);
      const { error } = await engine.properties("main", scopeOf(account));
      assert.equal(objectMember({ error: error ?? {} }, "error")["details"], undefined, account);
    }
  }
  t.diagnostic(`${settled} boxes were in doubt`);
  assert.ok(settled > 0);
});
