import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, type JsonObject, objectMember, systemClock } from "@rad/core";
import { until } from "@rad/core/testing";
import type { FinishOrder, ReadOrder } from "../deployment-target.ts";
import type { ExternalPut, ExternalSent } from "../external-target.ts";
import { recordAfterwards } from "../record-afterwards.ts";
import { BoxProcess } from "../testing/boxes/box-process.ts";
import { BoxTarget } from "../testing/boxes/box-target.ts";
import { box, boxTemplate } from "../testing/boxes/box-template.ts";
import { Engine } from "./testing/engine-kit.ts";

it("a deployment that is cancelled while its provider is away ends soon, and says what nobody knows", async () => {
  const url = await urlOfNobody();
  await using engine = await Engine.open({
    targets: (store) => ({ other: recordAfterwards(new BoxTarget({ url }), { store, clock: systemClock }) }),
  });
  engine.worker();
  const names = Array.from({ length: 12 }, (_unused, index) => [`b${index}`, box({})] as const);
  const operationId = await engine.submit({
    template: boxTemplate(Object.fromEntries(names)),
    parameters: { account: "away" },
  });
  await until("some were sent", async () => (await engine.records()).length === 4);

  await engine.store.operations.requestCancel(operationId, "enough");
  const { state } = await engine.ended(operationId);

  assert.equal(state, "Canceled");
  const error = objectMember(await engine.properties(), "error");
  assert.equal(error["code"], "DeploymentCanceled");
  const records = await engine.records();
  assert.equal(records.length, 4, "nothing more was started");
  for (const said of [...(error["details"] as JsonObject[]), ...records.map(errorOf)]) {
    assert.equal(said["code"], "ServiceUnavailable");
    assert.match(String(said["message"]), /not known whether the resource was made/);
  }
});

it("so does one that is cancelled while nobody works on it, though what it sent was made of another resource", async () => {
  let puts = 0;
  let isAway = false;
  class Vanishing extends BoxTarget {
    override async put(order: ExternalPut): Promise<ExternalSent> {
      puts += 1;
      isAway ||= puts > 1;
      return isAway ? away() : await super.put(order);
    }
    override async read(order: ReadOrder): Promise<JsonObject | undefined> {
      return isAway ? away() : await super.read(order);
    }
  }
  await using provider = await BoxProcess.start();
  const target = new Vanishing(provider);
  await using engine = await Engine.open({
    targets: (store) => ({ other: recordAfterwards(target, { store, clock: systemClock }) }),
  });
  const worker = engine.worker();
  const template = boxTemplate({ first: box({}), second: box({ of: "[reference('first').id]" }) });
  const operationId = await engine.submit({ template, parameters: { account: "vanished" } });
  await until("the second was sent", async () => (await engine.records()).length === 2);
  await worker.drain();
  await engine.store.operations.requestCancel(operationId, "enough");
  engine.worker();

  const { state } = await engine.ended(operationId);

  assert.equal(state, "Canceled");
  const [unknown] = objectMember(await engine.properties(), "error")["details"] as JsonObject[];
  assert.match(String(unknown?.["message"]), /not known whether the resource was made/);
});

it("asks no more for a box that was not finished by the deadline", async () => {
  await using provider = await BoxProcess.start();
  const finishing: AbortSignal[] = [];
  class Endless extends BoxTarget {
    override async finish(order: FinishOrder): Promise<JsonObject> {
      finishing.push(order.signal);
      return await super.finish(order);
    }
  }
  const target = new Endless(provider);
  await using engine = await Engine.open({
    targets: (store) => ({ other: recordAfterwards(target, { store, clock: systemClock }) }),
  });
  const template = boxTemplate({ endless: box({ workMs: -1 }) });
  const operationId = await engine.submit({ template, parameters: { account: "endless" } });
  engine.clock.aheadMs += 3_600_000 - 1_000; // the deadline is near
  engine.worker();

  const { state } = await engine.ended(operationId);

  assert.equal(state, "Canceled");
  assert.deepEqual(
    finishing.map(({ aborted }) => aborted),
    [true],
  );
});

function away(): never {
  throw new ApiError("ServiceUnavailable", "Come back later.", { transient: true });
}

function errorOf(record: JsonObject): JsonObject {
  assert.equal(record["provisioningState"], "Failed");
  return objectMember(objectMember(record, "statusMessage"), "error");
}

async function urlOfNobody(): Promise<string> {
  await using provider = await BoxProcess.start();
  return provider.url;
}
