import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { type JsonObject, objectMember, systemClock } from "@rad/core";
import { until } from "@rad/core/testing";
import { recordAfterwards } from "../record-afterwards.ts";
import { BoxProcess } from "../testing/boxes/box-process.ts";
import type { PlannedFault } from "../testing/boxes/box-provider.ts";
import { BoxTarget } from "../testing/boxes/box-target.ts";
import { box, boxTemplate } from "../testing/boxes/box-template.ts";
import { Engine } from "./testing/engine-kit.ts";

let provider: BoxProcess;
before(async () => {
  provider = await BoxProcess.start();
});
after(async () => {
  await provider[Symbol.asyncDispose]();
});

function openEngine(url = provider.url): Promise<Engine> {
  return Engine.open({
    targets: (store) => ({ other: recordAfterwards(new BoxTarget({ url }), { store, clock: systemClock }) }),
  });
}

function away(times: number): PlannedFault[] {
  return Array.from({ length: times }, () => ({ endpoint: "put", fault: "away" }));
}

/** A deployment of one box that was sent and of which nothing was heard. */
async function deployInDoubt(engine: Engine, account: string, properties: JsonObject = {}): Promise<string> {
  const template = boxTemplate({ doubtful: box(properties), next: box({ of: "[reference('doubtful').id]" }) });
  const operationId = await engine.submit({ template, parameters: { account } });
  await until("the intent is stored", async () => (await engine.records()).length > 0);
  return operationId;
}

async function cancelled(engine: Engine, operationId: string): Promise<JsonObject> {
  await engine.store.operations.requestCancel(operationId, "enough");
  assert.equal((await engine.ended(operationId)).state, "Canceled");
  return await engine.properties();
}

it("a cancelled deployment finds out what became of a box that it had sent", async () => {
  await using engine = await openEngine();
  engine.worker();
  await provider.plan([{ endpoint: "put", fault: "cutAfter" }, ...away(3)]);
  const operationId = await deployInDoubt(engine, "lost");
  const [intent] = await engine.records();

  const { outputResources, error } = await cancelled(engine, operationId);

  assert.equal(intent?.["provisioningState"], "Running");
  assert.equal(intent?.["statusCode"], undefined);
  const created = (await provider.ledger()).boxes.filter(({ account }) => account === "lost").map(({ id }) => id);
  assert.equal(created.length, 1);
  assert.deepEqual(outputResources, [{ id: created[0] }]);
  const [record, ...others] = await engine.records();
  assert.deepEqual(others, []);
  assert.equal(record?.["provisioningState"], "Succeeded");
  assert.equal(objectMember(record ?? {}, "targetResource")["id"], created[0]);
  assert.equal(objectMember({ error: error ?? {} }, "error")["details"], undefined);
});

it("waits a moment for a box whose id only its end tells", async () => {
  await using engine = await openEngine();
  engine.worker();
  await provider.plan([{ endpoint: "put", fault: "cutAfter" }, ...away(3)]);
  const operationId = await deployInDoubt(engine, "late", { workMs: 20, lateId: true });

  const { outputResources } = await cancelled(engine, operationId);

  const created = (await provider.ledger()).boxes.filter(({ account }) => account === "late").map(({ id }) => id);
  assert.deepEqual(outputResources, [{ id: created[0] }]);
});

it("a box that was refused in the end was not made, and nothing is left unknown", async () => {
  await using engine = await openEngine();
  engine.worker();
  await provider.plan(away(2));
  const operationId = await deployInDoubt(engine, "refused", { refuse: "Never." });

  const { outputResources } = await cancelled(engine, operationId);

  assert.deepEqual(outputResources, []);
  const [record] = await engine.records();
  assert.equal(record?.["provisioningState"], "Failed");
  assert.equal(record?.["statusCode"], "BadRequest");
});

it("a deployment that ran out of time while nobody worked on it settles what it left behind", async () => {
  await using engine = await openEngine();
  const worker = engine.worker();
  await provider.plan([{ endpoint: "put", fault: "cutAfter" }, ...away(2)]);
  const operationId = await deployInDoubt(engine, "expired");
  await worker.drain();
  engine.clock.aheadMs += 2 * 3_600_000;
  engine.worker();

  assert.equal((await engine.ended(operationId)).state, "Canceled");

  const created = (await provider.ledger()).boxes.filter(({ account }) => account === "expired").map(({ id }) => id);
  assert.deepEqual((await engine.properties())["outputResources"], [{ id: created[0] }]);
});
