import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, type JsonObject } from "@rad/core";
import type { ObjectTarget } from "@rad/kubernetes";
import type { RecipeEngine } from "../recipes/recipe-engine.ts";
import { ids, RenderingWorld } from "../rendering/testing/rendering-world.ts";
import { userTypeHandler } from "./user-type-handler.ts";

const notHere = () => Promise.reject(new Error("not in these tests"));
const engine: RecipeEngine = { execute: notHere, delete: notHere, parameters: notHere, preview: notHere };
const handler = userTypeHandler(engine);
const recipe = { templateKind: "terraform", templatePath: "ns/redis/aws", templateVersion: "1.0.0" };
const withRecipe = `${ids.environment}-with-recipe`;
const missing = `${ids.environment}-that-is-not-there`;

function setUp(): RenderingWorld {
  const world = new RenderingWorld({} as ObjectTarget);
  const type = ids.thing.split("/").slice(-3, -1).join("/");
  world.add(withRecipe, { recipes: { [type]: { default: recipe } } });
  return world;
}

const puts: Readonly<Record<string, { readonly properties: JsonObject; readonly isIdle: boolean }>> = {
  "belongs to nothing": { properties: {}, isIdle: true },
  "belongs to an environment without a recipe for it": { properties: { environment: ids.environment }, isIdle: true },
  "belongs to an application of such an environment": { properties: { application: ids.application }, isIdle: true },
  "names an environment that is not there": { properties: { environment: missing }, isIdle: true },
  "names an environment by no id": { properties: { environment: "dev" }, isIdle: true },
  "has a recipe": { properties: { environment: withRecipe }, isIdle: false },
  "asks for a recipe that there is not": {
    properties: { environment: ids.environment, recipe: { name: "fast" } },
    isIdle: false,
  },
};

for (const [name, { properties, isIdle }] of Object.entries(puts)) {
  it(`a PUT of a resource that ${name} has ${isIdle ? "nothing" : "something"} to do`, async () => {
    const world = setUp();

    assert.equal(await world.isIdle(handler, "put", properties), isIdle);
  });
}

it("what a recipe made has to be destroyed, whatever the resource says now", async () => {
  const world = setUp();
  world.status = { recipe };

  assert.equal(await world.isIdle(handler, "put", {}), false);
  assert.equal(await world.isIdle(handler, "delete", {}), false);
});

it("a DELETE of what no recipe made has nothing to do", async () => {
  assert.equal(await setUp().isIdle(handler, "delete", { environment: withRecipe }), true);
});

it("whether a resource is refused is left to its PUT", async () => {
  const world = setUp();
  world.refusal = new ApiError("Forbidden", "not for you");

  assert.equal(await world.isIdle(handler, "put", { environment: ids.environment }), false);
});
