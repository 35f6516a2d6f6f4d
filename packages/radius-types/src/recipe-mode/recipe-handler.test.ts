import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, type JsonObject, objectMember } from "@rad/core";
import type { ObjectTarget } from "@rad/kubernetes";
import type { HandlerContext, Pause, PreviewContext, RecipePreview, ResourceHandler } from "@rad/resources";
import { redisConnection } from "../applications-datastores/redis-caches/connection.ts";
import type { RecipeEngine, RecipeOutput, RecipePreviewUse, RecipeUse } from "../recipes/recipe-engine.ts";
import { executionError, setupError } from "../recipes/recipe-error.ts";
import { ids, RenderingWorld } from "../rendering/testing/rendering-world.ts";
import { portableRecipe } from "./portable-recipe.ts";
import { recipeHandler, type WithoutRecipe } from "./recipe-handler.ts";
import type { RecipeType } from "./recipe-type.ts";
import { schemaRecipe } from "./schema-recipe.ts";

const source = { templateKind: "terraform", templatePath: "ns/redis/aws", templateVersion: "1.0.0" };
const type = "Test.Rendered/things";
const bucket = "/planes/aws/aws/accounts/1/regions/global/providers/AWS.s3/bucket/b";
const table = "/planes/aws/aws/accounts/1/regions/global/providers/AWS.dynamodb/table/t";
const output = (more: Partial<RecipeOutput> = {}): RecipeOutput => ({
  values: { host: "h", port: 1 },
  secrets: { password: "canary-p" },
  resources: [bucket],
  status: source,
  ...more,
});

/** Records what it is asked to do, and does what the test says. */
class ScriptedEngine implements RecipeEngine {
  readonly done: string[] = [];
  execution: (use: RecipeUse) => Promise<RecipeOutput | "simulated" | Pause> = async (use) => {
    await use.beforeEffects();
    return output();
  };
  removal: () => Promise<void | Pause> = async () => {};

  async execute(_context: HandlerContext, use: RecipeUse) {
    this.done.push(`execute ${use.definition.name}`);
    return await this.execution(use);
  }

  async delete() {
    this.done.push("delete");
    return await this.removal();
  }

  async preview(_context: PreviewContext, { definition }: RecipePreviewUse): Promise<RecipePreview> {
    const { name, kind, source: from } = definition ?? { name: "former", kind: "terraform", source: "ns/redis/aws" };
    return { name, kind, source: from, action: definition === undefined ? "destroy" : "run", reasons: ["newResource"] };
  }

  parameters = () => Promise.reject(new Error("not in these tests"));
}

function setUp(options: { readonly recipe?: boolean; readonly recipeType?: RecipeType } = {}) {
  const engine = new ScriptedEngine();
  const world = new RenderingWorld({} as ObjectTarget);
  const withRecipe = (isThere: boolean): void =>
    world.add(ids.environment, {
      compute: { kind: "kubernetes", namespace: "dev" },
      ...(isThere
        ? {
            recipes: {
              [type]: { default: { ...source }, fast: { ...source, parameters: { a: 1 } } },
            },
          }
        : {}),
    });
  withRecipe(options.recipe !== false);
  const rendered: string[] = [];
  const otherwise: WithoutRecipe = {
    put: async ({ properties, status }) => {
      rendered.push("rendered");
      const outputResources = [{ id: "/planes/kubernetes/local/x", localId: "ConfigMap", radiusManaged: true }];
      return { kind: "done", properties: { ...properties, status: { ...status, outputResources } } };
    },
    delete: async ({ status }) => {
      rendered.push(`deleted ${JSON.stringify(status["outputResources"] ?? null)}`);
    },
    preview: async () => ({ changes: [], warnings: ["rendered"] }),
  };
  const handler: ResourceHandler = recipeHandler({
    type: options.recipeType ?? portableRecipe(redisConnection),
    recipes: engine,
    otherwise,
    schema: async () => ({ properties: { host: {} } }),
  });
  return { engine, world, handler, rendered, withRecipe };
}

it("a recipe runs, is on record before its first effect, and gives values, secrets and ids", async () => {
  const { engine, world, handler } = setUp();
  engine.execution = async (use) => {
    assert.equal(world.status["recipe"], undefined);
    await use.beforeEffects();
    assert.deepEqual(world.status, { recipe: source });
    return output();
  };

  const result = await world.put(handler, { recipe: { name: "fast" }, resources: [{ id: table }] });

  assert.deepEqual(engine.done, ["execute fast"]);
  assert.equal(result?.kind, "done");
  assert.deepEqual(world.status, {
    recipe: source,
    outputResources: [
      { id: bucket, radiusManaged: true },
      { id: table, radiusManaged: false },
    ],
    computedValues: { host: "h", port: 1, tls: false, password: null, connectionString: null, url: null },
  });
  assert.equal(world.secrets["/properties/status/computedValues/password"], "canary-p");
  assert.ok(world.hidden.includes("canary-p"));
});

it("a second run replaces the list of ids", async () => {
  const { engine, world, handler } = setUp();
  await world.put(handler, {});
  let previous: readonly string[] = [];
  engine.execution = async (use) => {
    previous = use.previous;
    await use.beforeEffects();
    return output({ resources: [table] });
  };

  await world.put(handler, {});

  assert.deepEqual(previous, [bucket]);
  assert.deepEqual(world.recorded(), [table]);
});

it("a set-up that fails leaves nothing to destroy", async () => {
  const { engine, world, handler } = setUp();
  engine.execution = () => Promise.reject(setupError("LoadSecretsFailed", "no secret"));

  await assert.rejects(world.put(handler, {}), { code: "LoadSecretsFailed" });

  assert.deepEqual(world.status, {});
  await world.delete(handler);
  assert.deepEqual(engine.done, ["execute default"]);
});

it("a run that fails half-way records what exists, and a DELETE destroys it", async () => {
  const { engine, world, handler } = setUp();
  engine.execution = async (use) => {
    await use.beforeEffects();
    throw executionError("RecipeDeploymentFailed", "half-way", { resources: [table] });
  };

  await assert.rejects(world.put(handler, {}), { code: "RecipeDeploymentFailed" });

  assert.deepEqual(world.recorded(), [table]);
  await world.delete(handler);
  assert.deepEqual(engine.done, ["execute default", "delete"]);
});

it("ids of a recipe whose values are refused stay on record", async () => {
  const { engine, world, handler } = setUp();
  engine.execution = async (use) => {
    await use.beforeEffects();
    return output({ values: {} });
  };

  await assert.rejects(world.put(handler, {}), { code: "RecipeValidationFailed" });

  assert.deepEqual(world.recorded(), [bucket]);
});

for (const id of ["not an id", "/", "/planes/radius", "/subscriptions/s/resourceGroups/g/providers/M.S/accounts"]) {
  it(`the id ${id}, which names no single resource, is refused`, async () => {
    const { engine, world, handler } = setUp();
    engine.execution = async (use) => {
      await use.beforeEffects();
      return output({ resources: [id] });
    };

    await assert.rejects(world.put(handler, {}), {
      code: "RecipeValidationFailed",
      message: `resource id "${id}" returned by recipe is invalid`,
    });
  });
}

it("a scope that a recipe lists, such as a resource group, stays among its ids", async () => {
  const { engine, world, handler } = setUp();
  const id = "/subscriptions/s/resourceGroups/g";
  engine.execution = async (use) => {
    await use.beforeEffects();
    return output({ resources: [id] });
  };

  await world.put(handler, {});

  assert.deepEqual(world.recorded(), [id]);
});

it("a simulated environment changes nothing", async () => {
  const { engine, world, handler } = setUp();
  engine.execution = async () => "simulated";

  const result = await world.put(handler, {});

  assert.equal(result?.kind, "done");
  assert.deepEqual(world.status, {});
});

it("a pause of the engine ends the attempt", async () => {
  const { engine, world, handler } = setUp();
  engine.execution = async () => ({ kind: "again", afterMs: 1 });

  assert.deepEqual(await world.put(handler, {}), { kind: "again", afterMs: 1 });
});

it("a resource that becomes manual loses what its recipe made, before its values are taken", async () => {
  const { engine, world, handler, rendered } = setUp();
  await world.put(handler, {});

  await world.put(handler, { resourceProvisioning: "manual" });

  assert.deepEqual(engine.done, ["execute default", "delete"]);
  assert.deepEqual(rendered, ["rendered"]);
  assert.equal(world.status["recipe"], undefined);
  assert.deepEqual(world.recorded(), ["ConfigMap"]);
});

it("a resource that was rendered loses its objects once nothing is wrong with the recipe's set-up", async () => {
  const { engine, world, handler, rendered, withRecipe } = setUp({ recipe: false });
  await world.put(handler, {});
  withRecipe(true);
  engine.execution = () => Promise.reject(setupError("LoadSecretsFailed", "no secret"));
  await assert.rejects(world.put(handler, {}));
  assert.deepEqual(rendered, ["rendered"]);
  engine.execution = async (use) => {
    await use.beforeEffects();
    return output();
  };

  await world.put(handler, {});

  assert.equal(rendered.length, 2);
  assert.match(rendered[1] ?? "", /^deleted .*ConfigMap/);
  assert.deepEqual(world.recorded(), [bucket]);
});

it("what cannot be destroyed keeps the resource, unless it is deleted by force", async () => {
  const { engine, world, handler } = setUp();
  await world.put(handler, {});
  engine.removal = () => Promise.reject(executionError("RecipeDeletionFailed", "stuck", { resources: [bucket] }));

  await assert.rejects(world.delete(handler), { code: "RecipeDeletionFailed" });
  assert.deepEqual(world.recorded(), [bucket]);
  world.isForced = true;
  await world.delete(handler);

  assert.deepEqual(world.steps, ["Leave behind what the recipe made"]);
});

it("a failure that may pass is tried again, also by force", async () => {
  const { engine, world, handler } = setUp();
  await world.put(handler, {});
  world.isForced = true;
  engine.removal = () => Promise.reject(new ApiError("ServiceUnavailable", "away", { transient: true }));

  await assert.rejects(world.delete(handler), { code: "ServiceUnavailable" });
});

it("what-if says that a recipe would run, or that what it made would be destroyed", async () => {
  const { world, handler, withRecipe } = setUp();
  const runs = await world.preview(handler, {});
  assert.deepEqual(runs?.recipe, {
    name: "default",
    kind: "terraform",
    source: "ns/redis/aws",
    action: "run",
    reasons: ["newResource"],
  });
  assert.deepEqual(runs?.warnings, []);
  await world.put(handler, {});
  withRecipe(false);

  const destroyed = await world.preview(handler, {});

  assert.equal(destroyed?.recipe?.action, "destroy");
  assert.deepEqual(destroyed?.warnings, ["rendered"]);
});

it("a type that its schema describes shows how the latest run ended", async () => {
  const { engine, world, handler } = setUp({ recipeType: schemaRecipe({ isRendered: false }) });
  const done = await world.put(handler, {});
  assert.equal(done?.kind, "done");
  assert.deepEqual(objectMember((done as { properties: JsonObject }).properties, "recipe"), {
    name: "default",
    recipeStatus: "success",
  });
  engine.execution = () => Promise.reject(setupError("LoadSecretsFailed", "no secret"));

  await assert.rejects(world.put(handler, { recipe: { name: "fast" } }));

  assert.deepEqual(world.savedProperties, { recipe: { name: "fast", recipeStatus: "setupError" } });
});

it("secrets of a type with a block for them go to a resource of their own, and the recipe is not run again", async () => {
  const { engine, world } = setUp();
  const handler = recipeHandler({
    type: schemaRecipe({ isRendered: false }),
    recipes: engine,
    otherwise: { put: async () => {}, delete: async () => {}, preview: async () => ({ changes: [], warnings: [] }) },
    schema: async () => ({ properties: { secrets: { type: "object" } } }),
  });
  world.operations.push("op-1");

  assert.deepEqual(await world.put(handler, {}), { kind: "waiting", for: ["op-1"] });
  const done = await world.put(handler, {});

  assert.deepEqual(engine.done, ["execute default"]);
  const [put] = world.changes;
  assert.match(put?.id ?? "", /\/Radius\.Security\/secrets\/web-[0-9a-f]{8}-secrets$/);
  assert.deepEqual(objectMember(put?.body ?? {}, "properties")["data"], { password: { value: "canary-p" } });
  const properties = (done as { properties: JsonObject }).properties;
  assert.equal(objectMember(properties, "secrets")["name"], put?.id.split("/").at(-1));
  assert.ok(!JSON.stringify(world.status).includes("canary"));
  assert.deepEqual(Object.values(world.secrets), []);
});
