import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "@rad/core/testing";
import { deploymentType } from "../deployment-document.ts";
import { operationType } from "../records/operation-records.ts";
import { deploymentId, Engine, group, thingId } from "../run/testing/engine-kit.ts";
import { module, template, thing } from "../run/testing/templates.ts";
import { exportTemplate } from "./export-template.ts";
import { pruneHistory } from "./prune-history.ts";
import { removeDeployment } from "./remove-deployment.ts";

async function names(engine: Engine, type = deploymentType): Promise<string[]> {
  const { items } = await engine.store.list({ type, under: group });
  return items.map(({ id }) => id.slice(id.lastIndexOf("/") + 1));
}

it("removes what is remembered of a deployment, and not what it deployed", async () => {
  await using engine = await Engine.open();
  engine.worker();
  const loop = thing("[concat('t', copyIndex())]", {}, { copy: { name: "loop", count: 600 } });
  await engine.deploy({ template: template({ loop }) });
  assert.equal((await names(engine, operationType)).length, 600);
  const document = await engine.store.get(deploymentId("main"));
  assert.ok(document !== undefined);

  await removeDeployment(engine.host, document);

  assert.deepEqual(await names(engine), []);
  assert.deepEqual(await names(engine, operationType), []);
  assert.ok((await engine.store.get(thingId("t599"))) !== undefined);
});

it("does not remove a deployment that runs, nor one nested in it", async () => {
  await using engine = await Engine.open();
  engine.worker();
  const id = await engine.submit({
    template: template({ m: module("m", template({ t: thing("t", { hold: true }) })) }),
  });
  await until("the thing was sent", () => engine.target.puts.length === 1);

  for (const name of ["main", "m"]) {
    const document = await engine.store.get(deploymentId(name));
    assert.ok(document !== undefined);
    await assert.rejects(removeDeployment(engine.host, document), { code: "DeploymentActive" });
  }

  engine.target.release("t");
  await engine.ended(id);
});

it("forgets the oldest ended deployments beyond the length of the history", async () => {
  await using engine = await Engine.open({ historyLength: 3 });
  engine.worker();
  const held = await engine.submit({ name: "held", template: template({ t: thing("t", { hold: true }) }) });
  for (const name of ["z-first", "second", "third"]) {
    await engine.deploy({ name, template: template({ m: module(`${name}-module`, template({})) }) });
    engine.clock.aheadMs += 10;
  }

  const removed = await pruneHistory(engine.host, group);

  assert.equal(removed, 4);
  assert.deepEqual(await names(engine), ["held", "third", "third-module"]);
  assert.equal(await pruneHistory(engine.host, group), 0);
  engine.target.release("t");
  await engine.ended(held);
});

it("exports the template as it was sent", async () => {
  await using engine = await Engine.open();
  engine.worker();
  const sent = template({ t: thing("t", { v: "[parameters('p')]" }) }, { parameters: { p: { type: "securestring" } } });
  await engine.deploy({ template: sent, parameters: { p: "canary" } });

  assert.deepEqual(await exportTemplate(engine.store, deploymentId("main")), { template: sent });
  await assert.rejects(exportTemplate(engine.store, deploymentId("other")), { code: "DeploymentNotFound" });
});
