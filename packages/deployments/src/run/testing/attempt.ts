import assert from "node:assert/strict";
import { ApiError, silentLogger } from "@rad/core";
import type { OperationContext } from "@rad/operations";
import type { Store } from "@rad/store";
import { DeploymentExecutor } from "../deployment-executor.ts";
import { ProcessDied } from "./crashing-store.ts";
import type { Engine } from "./engine-kit.ts";
import type { ThingsTarget } from "./things-target.ts";

/** What a worker does, in a process that may die. Says whether it came to an end. */
export async function attempt(engine: Engine, store: Store, target: ThingsTarget): Promise<boolean> {
  const leased = await engine.store.operations.take({ owner: "w", leaseMs: 60_000, queues: [{ name: "deployments" }] });
  assert.ok(leased !== undefined);
  const { operation, lease } = leased;
  const executor = new DeploymentExecutor(engine.hostOver(store, target));
  const context: OperationContext = {
    operation,
    lease,
    signal: new AbortController().signal,
    log: silentLogger,
    write: (change) => store.write({ ...change, lease }),
    step: () => Promise.reject(new Error("Deployments have no steps.")),
    hide: () => {},
    withoutSlot: (work) => work(),
  };
  try {
    const done = await executor.run(context);
    assert.ok(done.kind === "done");
    await store.write({ ...done.ending, lease, outcome: { state: "Succeeded" } });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) {
      assert.ok(error instanceof ProcessDied, String(error));
      return false;
    }
    const outcome = { state: "Failed", error: error.toDetail() } as const;
    try {
      await store.write({ ...(await executor.conclude(operation, outcome, context)), lease, outcome });
      return true;
    } catch (late) {
      assert.ok(late instanceof ProcessDied, String(late));
      return false;
    }
  }
}
