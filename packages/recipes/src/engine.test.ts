import assert from "node:assert/strict";
import { it } from "node:test";
import { type JsonObject, noMetrics, noTracing, objectMember, Redactor, systemClock } from "@rad/core";
import {
  executionError,
  type RecipeDefinition,
  type RecipeEngine,
  type RecipeUse,
  setupError,
} from "@rad/radius-types";
import type { PlanRun, RecipeDriver, RecipeRun } from "./driver.ts";
import { createRecipeEngine } from "./engine.ts";
import { listOrphans } from "./orphans/list-orphans.ts";
import { RecipeRecords } from "./records/recipe-records.ts";
import { ids, RecipeWorld } from "./testing/recipe-world.ts";

const bucket = "/planes/aws/aws/accounts/1/regions/global/providers/AWS.s3/bucket/b";
const definition: RecipeDefinition = {
  name: "default",
  kind: "terraform",
  source: "ns/db/aws",
  parameters: { a: 1, b: 1 },
};

/** Creates one bucket, and does what a test adds. */
function scriptedDriver(script: { during?: (run: RecipeRun) => Promise<void> } = {}) {
  const runs: RecipeRun[] = [];
  const plans: PlanRun[] = [];
  const driver: RecipeDriver = {
    execute: async (run) => {
      runs.push(run);
      await run.record({ state: { backend: "http", name: "s" } });
      await script.during?.(run);
      await run.record({ resources: [bucket], outcome: "succeeded", log: "created" });
      return {
        values: {},
        secrets: {},
        resources: [bucket],
        status: { templateKind: run.definition.kind, templatePath: run.definition.source },
      };
    },
    delete: async (run) => {
      runs.push(run);
      await run.record({ resources: [], outcome: "succeeded" });
    },
    plan: async (run) => {
      plans.push(run);
      return { changes: [], notes: [] };
    },
    parameters: async () => ({ a: { type: "number", required: false } }),
  };
  return { driver, runs, plans };
}

function engineOf(world: RecipeWorld, driver: RecipeDriver): RecipeEngine {
  return createRecipeEngine({
    store: world.store,
    clock: systemClock,
    metrics: noMetrics,
    tracing: noTracing,
    redactor: new Redactor(),
    drivers: { terraform: async () => driver },
    loadSecret: async () => ({ kind: "generic", values: {} }),
  });
}

async function useOf(world: RecipeWorld, more: Partial<RecipeUse> = {}): Promise<RecipeUse> {
  return {
    definition,
    properties: {},
    environment: await world.scoped(ids.environment),
    application: await world.scoped(ids.application),
    previous: [],
    beforeEffects: async () => {},
    ...more,
  };
}

const orphansOf = (world: RecipeWorld) =>
  listOrphans({
    store: world.store,
    records: new RecipeRecords(world.store),
    unsettled: async () => [],
    states: async function* () {},
  });

it("a run is on record before its first effect, with merged parameters and the context", async () => {
  await using world = await RecipeWorld.open();
  const order: string[] = [];
  const { driver, runs } = scriptedDriver({
    during: async () => {
      const stored = await new RecipeRecords(world.store).read(ids.resource);
      order.push(`effects ${stored?.record.run.kind ?? "without a record"}`);
      assert.deepEqual(stored?.definition, definition);
    },
  });
  const properties: JsonObject = { size: "S", recipe: { name: "default", parameters: { b: 2, context: 1 } } };
  const beforeEffects = async (): Promise<void> => void order.push("before effects");

  const output = await engineOf(world, driver).execute(
    world.context(),
    await useOf(world, { properties, beforeEffects }),
  );

  assert.deepEqual(order, ["before effects", "effects execute"]);
  assert.deepEqual(runs[0]?.parameters, { a: 1, b: 2 });
  assert.equal(objectMember(runs[0]?.context ?? {}, "environment")["name"], "dev");
  assert.deepEqual((output as { resources: unknown }).resources, [bucket]);
  assert.equal((await new RecipeRecords(world.store).readLog(ids.resource))?.text, "created");
});

it("parameters of the recipe are sealed in the record", async () => {
  await using world = await RecipeWorld.open();
  const { driver } = scriptedDriver();
  const secret = { ...definition, parameters: { password: "canary-p" } };

  await engineOf(world, driver).execute(world.context(), await useOf(world, { definition: secret }));

  const { items } = await world.store.list({ under: "/system" });
  assert.ok(items.length > 0);
  assert.ok(!items.some(({ json }) => json.includes("canary")));
  assert.deepEqual((await new RecipeRecords(world.store).read(ids.resource))?.definition.parameters, {
    password: "canary-p",
  });
});

it("a simulated environment runs nothing", async () => {
  await using world = await RecipeWorld.open();
  await world.put(ids.environment, { simulated: true });
  const { driver, runs } = scriptedDriver();

  assert.equal(await engineOf(world, driver).execute(world.context(), await useOf(world)), "simulated");
  assert.deepEqual(runs, []);
});

it("a recipe of a kind without a driver is refused by name", async () => {
  await using world = await RecipeWorld.open();
  const { driver } = scriptedDriver();
  const bicep = { ...definition, kind: "bicep" };

  await assert.rejects(engineOf(world, driver).execute(world.context(), await useOf(world, { definition: bicep })), {
    code: "DriverNotFoundFailure",
    recipeStatus: "setupError",
    message: /^could not find driver `bicep`/,
  });
});

it("a delete runs the recorded definition, whatever the environment has now, and ends the record", async () => {
  await using world = await RecipeWorld.open();
  const { driver, runs } = scriptedDriver();
  const engine = engineOf(world, driver);
  await engine.execute(world.context(), await useOf(world));

  await engine.delete(world.context(), await useOf(world));
  await engine.delete(world.context(), await useOf(world));

  assert.equal(runs.length, 2);
  assert.deepEqual(runs[1]?.definition, definition);
  assert.deepEqual(runs[1]?.recorded?.resources, [bucket]);
  assert.equal(await new RecipeRecords(world.store).read(ids.resource), undefined);
});

it("a set-up that fails leaves no record, so that there is nothing to delete", async () => {
  await using world = await RecipeWorld.open();
  const { driver, runs } = scriptedDriver();
  const failing: RecipeDriver = { ...driver, execute: () => Promise.reject(setupError("LoadSecretsFailed", "no")) };
  const engine = engineOf(world, failing);
  await assert.rejects(engine.execute(world.context(), await useOf(world)));

  await engine.delete(world.context(), await useOf(world));

  assert.deepEqual(runs, []);
  assert.deepEqual(await orphansOf(world), []);
});

it("resources of a record without a resource are orphans, and so is its state", async () => {
  await using world = await RecipeWorld.open();
  const { driver } = scriptedDriver();
  await engineOf(world, driver).execute(world.context(), await useOf(world));
  assert.deepEqual(await orphansOf(world), []);

  await world.remove(ids.resource);

  const orphans = await orphansOf(world);
  assert.deepEqual(
    orphans.map(({ kind, what, resourceId }) => ({ kind, what, resourceId })),
    [
      { kind: "resource", what: bucket, resourceId: ids.resource },
      { kind: "state", what: "http s", resourceId: ids.resource },
    ],
  );
});

it("what a dead run may have created stays listed after the resource is deleted", async () => {
  await using world = await RecipeWorld.open();
  const { driver } = scriptedDriver({
    during: async (run) => {
      await run.record({
        unsaved: [{ address: "module.default.aws_s3_bucket.b", type: "aws_s3_bucket", state: "begun" }],
      });
      throw executionError("RecipeDeploymentFailed", "died");
    },
  });
  const engine = engineOf(world, driver);
  await assert.rejects(engine.execute(world.context(), await useOf(world)));

  await engine.delete(world.context(), await useOf(world));
  await world.remove(ids.resource);

  const [orphan, ...others] = await orphansOf(world);
  assert.deepEqual(others, []);
  assert.equal(orphan?.kind, "creation");
  assert.match(orphan?.what ?? "", /^module\.default\.aws_s3_bucket\.b /);
});

it("a resource connects to another, whose properties the recipe gets; one that is gone fails the run", async () => {
  await using world = await RecipeWorld.open();
  const { driver, runs } = scriptedDriver();
  const other = `${ids.resource}-other`;
  await world.put(other, { host: "h" });
  const properties = { connections: { cache: { source: other }, web: { source: "https://example.com" } } };
  const engine = engineOf(world, driver);

  await engine.execute(world.context(), await useOf(world, { properties }));
  const resource = objectMember(runs[0]?.context ?? {}, "resource");
  assert.deepEqual(Object.keys(objectMember(resource, "connections")), ["cache"]);
  await world.remove(other);

  await assert.rejects(engine.execute(world.context(), await useOf(world, { properties })), { code: "BadRequest" });
  await engine.delete(world.context(), await useOf(world, { properties }));
});

it("changed settings apply to the next run, with no change to the environment (S000-34)", async () => {
  await using world = await RecipeWorld.open();
  const settings = `${ids.environment.replace("Applications.Core/environments", "Radius.Core/terraformSettings")}-settings`;
  await world.put(ids.environment, { terraformSettings: settings });
  await world.put(settings, { env: { A: "old" } });
  const { driver, runs } = scriptedDriver();
  const engine = engineOf(world, driver);
  await engine.execute(world.context(), await useOf(world));
  await world.put(settings, { env: { A: "new" } });

  await engine.execute(world.context(), await useOf(world));

  assert.deepEqual(
    runs.map(({ configuration }) => (configuration.terraform as { properties?: JsonObject }).properties),
    [{ env: { A: "old" } }, { env: { A: "new" } }],
  );
});

it("parameters of a template are told", async () => {
  await using world = await RecipeWorld.open();
  const { resources, requester, signal, log } = world.context();
  const environment = await world.scoped(ids.environment);

  const parameters = await engineOf(world, scriptedDriver().driver).parameters({
    definition,
    environment,
    resources,
    requester,
    signal,
    log,
  });

  assert.deepEqual(parameters, { a: { type: "number", required: false } });
});

it("sealed parameters of packs are secrets of a run, and of its undoing when nobody names the pack any more", async () => {
  await using world = await RecipeWorld.open();
  const environmentId = ids.environment.replace("Applications.Core", "Radius.Core");
  const pack = ids.environment.replace("Applications.Core/environments/dev", "Radius.Core/recipePacks/pack");
  const parameters = { "/properties/recipes/Test.Recipes~1things/parameters/token": "hunter22" };
  await world.put(pack, { recipes: { "Test.Recipes/things": { parameters: { token: null } } } }, parameters);
  await world.put(environmentId, { recipePacks: ["pack"] });
  const { driver, runs } = scriptedDriver();
  const engine = engineOf(world, driver);
  const packed = { ...definition, parameters: { token: "hunter22" } };

  await engine.execute(
    world.context(),
    await useOf(world, { definition: packed, environment: await world.scoped(environmentId) }),
  );
  await world.put(environmentId, {});
  await engine.delete(world.context(), await useOf(world, { environment: await world.scoped(environmentId) }));

  assert.deepEqual(
    runs.map(({ sensitive }) => sensitive),
    [["/token"], ["/token"]],
  );
});
