import assert from "node:assert/strict";
import { it } from "node:test";
import { type JsonObject, objectMember, systemClock } from "@rad/core";
import { until } from "@rad/core/testing";
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

function errorOf(record: JsonObject): JsonObject {
  assert.equal(record["provisioningState"], "Failed");
  return objectMember(objectMember(record, "statusMessage"), "error");
}

async function urlOfNobody(): Promise<string> {
  await using provider = await BoxProcess.start();
  return provider.url;
}
