// What goes wrong while recipes are planned stays with the recipe that it goes wrong for, and leaves nothing behind.
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import { openRecipeRig } from "../recipes/recipe-rig.ts";
import { clientOf, group, request } from "../support/api.ts";
import type { Server } from "../support/api.ts";
import { CrashingServer, survivingKills } from "../support/crashing-server.ts";
import { databases } from "../support/database.ts";
import { readStatus } from "../terraform/installer-api.ts";
import { createPlanPlatform, type Item, openRadHome, resourceId, templateOf } from "./plan-rig.ts";
import { plannedActions, recipeIn } from "./planned.ts";

const secrets = { odd: "canary-odd-secret", even: "canary-even-secret" };
const item = (index: number, team = "red"): Item => ({ key: "a", name: `fault-${index}`, team });
const madeByThing3 = "[string(reference('thing3').made)]";
const notInstalled = "Terraform is not installed. Run 'rad terraform install' to install Terraform.";

it("what cannot be planned is told for its resource alone, and nothing is left of a plan that was cut off", async () => {
  await using rig = await openRecipeRig();
  await using database = await databases.sqlite();
  await using server = new CrashingServer(database, { ...survivingKills, ...rig.config(database.folder) });
  await server.start();
  await clientOf(server.running).groups.put("test");
  const { environment } = await createPlanPlatform(rig, server.running, { modules: 4, secrets });
  const things = [0, 1, 2].map((index) => ({ index, items: [item(index)] }));
  const template = templateOf(environment, things);
  await using home = await openRadHome(server.running);
  const runs = path.join(database.folder, "runs", "runs");
  const leftFolders = async (): Promise<string[]> => await readdir(runs).catch(() => []);

  // Without Terraform.
  const without = await home.deploy(template, "--what-if-recipes");
  assert.equal(without.code, 1);
  assert.equal(without.stdout.split(notInstalled).length - 1, things.length, without.stdout);
  assert.match(without.stdout, /Recipe changes: 3 recipes not planned\./u);

  await rig.prepare(server.running);
  const deployed = await home.deploy(template);
  assert.equal(deployed.code, 0, deployed.stderr);

  // The cloud fails for one, Terraform is killed for another.
  const changed = templateOf(
    environment,
    [0, 1, 2].map((index) => ({ index, items: [item(index, "blue")] })),
  );
  {
    using _fails = rig.cloud.fault(/^read aws_s3_bucket fault-1$/u, { kind: "fail", when: "before", status: 403 });
    using _dies = rig.cloud.fault(/^read aws_s3_bucket fault-2$/u, {
      kind: "call",
      when: "before",
      call: ({ terraformPid }) => void process.kill(terraformPid, "SIGKILL"),
    });
    const faulty = await home.deploy(changed, "--what-if-recipes", "-o", "json");
    assert.equal(faulty.code, 1);
    assert.deepEqual(plannedActions(recipeIn(faulty.stdout, resourceId(0))), [
      'update module.default.aws_s3_bucket.b0["a"]',
    ]);
    const [failed, killed] = [1, 2].map((index) => recipeIn(faulty.stdout, resourceId(index)).plan);
    assert.equal(failed?.status, "Failed");
    assert.match(failed.error?.message ?? "", /terraform plan failure: .*the cloud has a bad day/su);
    assert.match(killed?.error?.message ?? "", /terraform plan failure: Terraform was ended by SIGKILL/u);
    assert.deepEqual(await leftFolders(), []);
  }

  // Values that only the deployment of another resource gives.
  const dependent = templateOf(environment, [
    { index: 3, items: [item(3)] },
    { index: 0, items: [item(0)], more: { note: madeByThing3, ...connectionTo(3) } },
    { index: 1, items: [{ ...item(1), team: madeByThing3 }] },
  ]);
  const unknown = await home.deploy(dependent, "--what-if-recipes", "-o", "json");
  assert.equal(unknown.code, 0, unknown.stdout + unknown.stderr);
  const { plan, reasons } = recipeIn(unknown.stdout, resourceId(0));
  assert.deepEqual(reasons, ["changedProperties", "unknownValues"]);
  assert.deepEqual(plan?.unknown?.map(({ path: place }) => place).toSorted(), ["connections.other", "properties.note"]);
  const [update] = plan?.changes ?? [];
  assert.equal(update?.action, "update");
  assert.deepEqual(
    update.attributes.filter(({ unknown: isUnknown }) => isUnknown).map(({ name }) => name),
    ["tags"],
  );

  const instances = recipeIn(unknown.stdout, resourceId(1)).plan;
  assert.equal(instances?.status, "Unknown"); // for_each of the module looks at all of the items
  assert.deepEqual(
    instances.unknown?.map(({ path: place }) => place),
    ["properties.items.0.team"],
  );

  // While a deployment is at work: neither waits for the other.
  {
    const stall = rig.cloud.fault(/^create aws_s3_bucket fault-3$/u, { kind: "stall", when: "before" });
    const third = templateOf(environment, [{ index: 3, items: [item(3)] }]);
    const deploying = home.deploy(third);
    await stall.first;
    const beside = await clientOf(server.running).deployments.whatIf(
      `${group}/providers/Microsoft.Resources/deployments/beside`,
      whatIfBody(third),
      { onRecipe: () => {} },
    );
    const { notes } = beside.changes[0]?.recipe?.plan ?? {};
    assert.match(notes?.[0] ?? "", /^A run of the recipe is in progress/u);
    stall[Symbol.dispose]();
    assert.equal((await deploying).code, 0);
  }

  // A caller who leaves, and a server that is killed.
  await cutOff(server.running, changed, async (leave) => leave.abort());
  await until("the plan of a caller who left is gone", async () => (await leftFolders()).length === 0);
  await cutOff(server.running, changed, async () => await server.kill());
  await until("the plans of a killed server are gone", async () => (await leftFolders()).length === 0, {
    timeoutMs: 30_000,
  });
  await until("no execution is left", async () => (await readStatus(server.running)).executions === 0);
  assert.deepEqual(
    (await readdir("/dev/shm")).filter((name) => name.startsWith("rad-plan-")),
    [],
  );
  await using again = await openRadHome(server.running);
  const afterwards = await again.deploy(changed);
  assert.equal(afterwards.code, 0, afterwards.stdout + afterwards.stderr);
  server.saw([without, deployed, unknown, afterwards]);
  await server.assertNowhere(secrets.odd);
  await server.assertNowhere(secrets.even);

  // As for deploying.
  const reader = { url: server.running.url, token: database.readerToken };
  assert.equal((await whatIf(reader, changed)).status, 403);

  /** Does something while Terraform waits for the cloud in the middle of a plan. */
  async function cutOff(
    running: Server,
    planned: JsonObject,
    act: (leave: AbortController) => Promise<void>,
  ): Promise<void> {
    using stall = rig.cloud.fault(/^read /u, { kind: "stall", when: "before" });
    const leave = new AbortController();
    const asking = whatIf(running, planned, leave.signal).then(
      () => assert.fail("the what-if was answered"),
      () => undefined,
    );
    await stall.first;
    await act(leave);
    await asking;
  }
});

function connectionTo(index: number): JsonObject {
  return { connections: { other: { source: resourceId(index) } } };
}

async function whatIf(server: Server, template: JsonObject, signal?: AbortSignal) {
  return await request(
    server,
    "POST",
    `${group}/providers/Microsoft.Resources/deployments/planned/whatIf`,
    { properties: { ...whatIfBody(template).properties, whatIfSettings: { planRecipes: true } } },
    signal,
    "2020-10-01",
  );
}

function whatIfBody(template: JsonObject): { properties: JsonObject } {
  const providerConfig = { radius: { type: "Radius", value: { scope: group } } };
  return { properties: { mode: "Incremental", template, providerConfig } };
}
