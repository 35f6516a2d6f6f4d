import assert from "node:assert/strict";
import { it } from "node:test";
import { systemClock } from "@rad/core";
import { MovingClock } from "@rad/core/testing";
import { recordAfterwards } from "../record-afterwards.ts";
import { BoxProcess } from "../testing/boxes/box-process.ts";
import type { Endpoint, Fault, PlannedFault } from "../testing/boxes/box-provider.ts";
import { BoxTarget } from "../testing/boxes/box-target.ts";
import { assertWhole, boxDeployment } from "./testing/box-deployments.ts";
import { Engine } from "./testing/engine-kit.ts";

const everywhere: readonly Fault[] = ["cutBefore", "cutAfter", "garbled", "late", "twice", "away"];
const faults: Readonly<Partial<Record<Endpoint, readonly Fault[]>>> = {
  put: everywhere,
  poll: [...everywhere, "forgetTracking"],
  read: everywhere,
  act: everywhere,
};

for (const looksFirst of [false, true]) {
  const how = looksFirst ? "a provider whose keys may be gone" : "a provider that keeps keys";
  it(`${how}: whichever request fails in whatever way, created = recorded and nothing is made twice`, async (t) => {
    await using provider = await BoxProcess.start();
    await using engine = await Engine.open({
      clock: new MovingClock((ms, signal) => systemClock.sleep(Math.min(ms, 1), signal)),
      targets: (store) => ({
        other: recordAfterwards(new BoxTarget({ url: provider.url, looksFirst }), { store, clock: systemClock }),
      }),
    });
    engine.worker();
    let runs = 0;
    const run = async (planned: readonly PlannedFault[]): Promise<void> => {
      runs += 1;
      const { actions } = await provider.ledger();
      await provider.plan(planned);
      const { state, error } = await engine.deploy(boxDeployment(`run-${runs}`));
      const what = JSON.stringify(planned);
      assert.equal(state, "Succeeded", `${what}: ${JSON.stringify(error)}`);
      await assertWhole(engine, provider, `run-${runs}`, what);
      assert.equal((await provider.ledger()).actions - actions, 1, `${what}: acted once`);
    };
    await run([]);
    const { requests } = await provider.ledger();

    for (const [endpoint, kinds] of Object.entries(faults) as [Endpoint, readonly Fault[]][]) {
      assert.ok(requests[endpoint] > 0, `no ${endpoint}`);
      for (let after = 0; after < requests[endpoint]; after += 1) {
        for (const fault of kinds) {
          await run([{ endpoint, fault, after }]);
        }
      }
    }
    if (looksFirst) {
      for (let after = 0; after < requests.put; after += 1) {
        await run([
          { endpoint: "put", fault: "cutAfter", after },
          { endpoint: "read", fault: "forgetKeys" },
        ]);
      }
    }
    t.diagnostic(`${runs} deployments`);
  });
}
