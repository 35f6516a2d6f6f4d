import assert from "node:assert/strict";
import { it } from "node:test";
import { objectMember } from "@rad/core";
import { until } from "@rad/core/testing";
import { parseDuration } from "../records/iso-duration.ts";
import { Engine } from "./testing/engine-kit.ts";
import { module, template, thing } from "./testing/templates.ts";

it("tells of a module that was cancelled how long it ran and why it ended", async () => {
  await using engine = await Engine.open();
  engine.worker();
  const inner = template({ c: thing("c", { hold: true }), d: thing("d", {}, { dependsOn: ["c"] }) });
  const id = await engine.submit({ template: template({ m: module("m", inner) }) });
  await until("the thing was sent", () => engine.target.puts.length === 1);

  engine.clock.aheadMs += 5_000;
  await engine.store.operations.requestCancel(id, "enough");
  engine.target.release("c");
  await engine.ended(id);

  const outermost = await engine.properties();
  const [record = {}] = await engine.records();
  assert.equal(record["statusCode"], "Conflict");
  assert.equal(objectMember(objectMember(record, "statusMessage"), "error")["code"], "DeploymentCanceled");
  for (const properties of [await engine.properties("m"), record]) {
    assert.equal(properties["provisioningState"], "Canceled");
    assert.equal(Date.parse(String(properties["timestamp"])), Date.parse(String(outermost["timestamp"])));
    assert.ok((parseDuration(String(properties["duration"])) ?? 0) >= 5_000, String(properties["duration"]));
  }
});
