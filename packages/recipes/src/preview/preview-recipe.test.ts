import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, type JsonObject, noMetrics, noTracing, objectMember, Redactor, systemClock } from "@rad/core";
import { type RecipeDefinition, type RecipeEngine, setupError } from "@rad/radius-types";
import type { PreviewContext, RecipeReason } from "@rad/resources";
import type { PlanRun, RecipeDriver } from "../driver.ts";
import { createRecipeEngine } from "../engine.ts";
import { ids, RecipeWorld } from "../testing/recipe-world.ts";

const definition: RecipeDefinition = { name: "default", kind: "terraform", source: "ns/db/aws", parameters: { a: 1 } };
const redactor = new Redactor();
const status = { templateKind: "terraform", templatePath: "ns/db/aws" };
const signal = new AbortController().signal;

/** Runs nothing, and keeps what it was asked to plan. */
function openEngine(world: RecipeWorld, change: Partial<RecipeDriver> = {}) {
  const plans: PlanRun[] = [];
  const driver: RecipeDriver = {
    execute: async (run) => {
      await run.record({ state: {} });
      await run.record({ outcome: "succeeded" });
      return { values: {}, secrets: {}, resources: [], status };
    },
    delete: async () => {},
    plan: async (run) => {
      plans.push(run);
      return { changes: [], notes: [] };
    },
    parameters: async () => ({}),
    ...change,
  };
  const engine = createRecipeEngine({
    store: world.store,
    clock: systemClock,
    metrics: noMetrics,
    tracing: noTracing,
    redactor,
    drivers: { terraform: async () => driver },
    loadSecret: async (_context, id) => {
      throw new ApiError("LoadSecretsFailed", `'${id}' does not exist.`);
    },
  });
  return { engine, plans };
}

async function scopesOf(world: RecipeWorld) {
  return { environment: await world.scoped(ids.environment), application: await world.scoped(ids.application) };
}

function contextOf(world: RecipeWorld, change: Partial<PreviewContext> = {}): PreviewContext {
  return { ...world.context(), isExpected: () => false, change: "none", unknown: [], ...change };
}

async function execute(engine: RecipeEngine, world: RecipeWorld): Promise<void> {
  const use = { definition, properties: {}, previous: [], beforeEffects: async () => {}, ...(await scopesOf(world)) };
  await engine.execute(world.context(), use);
}

const reasons: readonly [string, readonly RecipeReason[], Partial<PreviewContext>, Partial<RecipeDefinition>][] = [
  ["nothing is new", ["unchanged"], {}, {}],
  ["the resource is new", ["newResource"], { change: "create" }, {}],
  ["properties change", ["changedProperties"], { change: "modify" }, {}],
  ["values are not known yet", ["unknownValues"], { unknown: ["/properties/host"] }, {}],
  ["the recipe is another one", ["changedRecipe"], {}, { version: "2.0.0" }],
  ["a parameter is another one", ["changedParameters"], {}, { parameters: { a: 2 } }],
];

for (const [name, expected, context, change] of reasons) {
  it(`a preview says why a recipe would run: ${name}`, async () => {
    await using world = await RecipeWorld.open();
    const { engine, plans } = openEngine(world);
    await execute(engine, world);
    const use = { definition: { ...definition, ...change }, properties: {}, ...(await scopesOf(world)) };

    const preview = await engine.preview(contextOf(world, context), use);

    assert.equal(preview?.action, "run");
    assert.deepEqual(preview?.reasons, expected);
    assert.deepEqual(plans, []);
  });
}

it("settings that were changed are a reason, and so is a run that failed", async () => {
  await using world = await RecipeWorld.open();
  const { engine } = openEngine(world);
  const settings = `${ids.environment.replace("Applications.Core/environments", "Radius.Core/terraformSettings")}-s`;
  await world.put(settings, { env: { A: "old" } });
  await world.put(ids.environment, { terraformSettings: settings });
  await execute(engine, world);
  await world.put(settings, { env: { A: "new" } });
  const use = { definition, properties: {}, ...(await scopesOf(world)) };

  assert.deepEqual((await engine.preview(contextOf(world), use))?.reasons, ["changedSettings"]);

  await world.put(settings, { env: { A: "old" } });
  const failing = openEngine(world, {
    execute: async (run) => {
      await run.record({ outcome: "failed" });
      throw setupError("RecipeDownloadFailed", "no");
    },
  });
  await assert.rejects(execute(failing.engine, world));
  assert.deepEqual((await engine.preview(contextOf(world), use))?.reasons, ["notRunBefore"]);
});

it("a resource that no recipe makes any more has what was made destroyed, with the recorded recipe", async () => {
  await using world = await RecipeWorld.open();
  const { engine, plans } = openEngine(world);
  const use = { definition: undefined, properties: {}, ...(await scopesOf(world)) };
  assert.equal(await engine.preview(contextOf(world), use), undefined);
  await execute(engine, world);

  const preview = await engine.preview(contextOf(world), use);
  await preview?.plan?.(signal);

  assert.equal(preview?.action, "destroy");
  assert.equal(plans[0]?.destroys, true);
  assert.deepEqual(plans[0]?.definition, definition);
});

it("what is not known yet is marked in parameters and context, and told with the reason", async () => {
  await using world = await RecipeWorld.open();
  const { engine, plans } = openEngine(world);
  const other = `${ids.resource}-other`;
  await world.put(other, { host: "of now" });
  const properties: JsonObject = {
    host: "[reference('x').host]",
    size: "S",
    recipe: { parameters: { b: "[reference('x').b]", c: 3 } },
    connections: { db: { source: other } },
  };
  const context = contextOf(world, {
    unknown: ["/properties/host", "/properties/recipe/parameters/b"],
    isExpected: (id) => id === other,
  });

  const preview = await engine.preview(context, { definition, properties, ...(await scopesOf(world)) });
  const plan = await preview?.plan?.(signal);

  const [run] = plans;
  const mark = run?.unknownMark ?? "";
  assert.deepEqual(run?.parameters, { a: 1, b: mark, c: 3 });
  const resource = objectMember(run?.context ?? {}, "resource");
  assert.equal(objectMember(resource, "properties")["host"], mark);
  assert.equal(objectMember(objectMember(resource, "connections"), "db")["properties"], mark);
  assert.deepEqual(
    plan?.unknown.map(({ path }) => path),
    ["properties.host", "properties.recipe.parameters.b", "connections.db"],
  );
});

it("a secret that the same deployment creates makes the plan unknown, any other that is missing is an error", async () => {
  await using world = await RecipeWorld.open();
  const secret = "/planes/radius/local/providers/Radius.Security/secrets/s";
  const { engine } = openEngine(world, {
    plan: async (run) => {
      try {
        await run.readSecret(secret);
      } catch (cause) {
        throw setupError("LoadSecretsFailed", "failed to fetch secrets", { cause });
      }
      return { changes: [], notes: [] };
    },
  });
  const use = { definition, properties: {}, ...(await scopesOf(world)) };

  const expected = await engine.preview(contextOf(world, { isExpected: (id) => id === secret }), use);
  const plan = await expected?.plan?.(signal);
  assert.equal(plan?.isKnown, false);
  assert.deepEqual(
    plan?.unknown.map(({ path }) => path),
    [secret],
  );

  const missing = await engine.preview(contextOf(world), use);
  await assert.rejects(async () => await missing?.plan?.(signal), { code: "LoadSecretsFailed" });
});

it("a plan that fails for want of a value is unknown, and says what was missing", async () => {
  await using world = await RecipeWorld.open();
  const { engine } = openEngine(world, {
    plan: async () => {
      throw setupError("RecipeDeploymentFailed", "Invalid for_each argument");
    },
  });
  const use = { definition, properties: { host: "" }, ...(await scopesOf(world)) };

  const preview = await engine.preview(contextOf(world, { unknown: ["/properties/host"] }), use);
  const plan = await preview?.plan?.(signal);
  assert.equal(plan?.isKnown, false);
  assert.deepEqual(plan?.notes, ["Invalid for_each argument"]);

  const known = await engine.preview(contextOf(world), use);
  await assert.rejects(async () => await known?.plan?.(signal), { code: "RecipeDeploymentFailed" });
});

it("a simulated environment runs no recipe, and plans none", async () => {
  await using world = await RecipeWorld.open();
  await world.put(ids.environment, { simulated: true });
  const { engine } = openEngine(world);

  const preview = await engine.preview(contextOf(world), { definition, properties: {}, ...(await scopesOf(world)) });

  assert.equal(preview?.action, "none");
  assert.equal(preview?.plan, undefined);
});

it("neither addresses nor notes of a plan have hidden values", async () => {
  await using world = await RecipeWorld.open();
  using _hidden = redactor.add(["canary-of-the-plan"]);
  const changes = [{ address: 'x["canary-of-the-plan"]', type: "x", action: "create" as const, attributes: [] }];
  const { engine } = openEngine(world, { plan: async () => ({ changes, notes: [] }) });
  const failing = openEngine(world, {
    plan: () => Promise.reject(setupError("RecipeDeploymentFailed", "no canary-of-the-plan")),
  });
  const use = { definition, properties: {}, ...(await scopesOf(world)) };

  const plan = await (await engine.preview(contextOf(world), use))?.plan?.(signal);
  const context = contextOf(world, { unknown: ["/properties/host"] });
  const failed = await (await failing.engine.preview(context, use))?.plan?.(signal);

  assert.equal(plan?.changes[0]?.address, 'x["[redacted]"]');
  assert.deepEqual(failed?.notes, ["no [redacted]"]);
});
