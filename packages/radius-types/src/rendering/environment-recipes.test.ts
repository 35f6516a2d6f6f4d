import assert from "node:assert/strict";
import { it } from "node:test";
import { ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { inGroup } from "../testing/ids.ts";
import { renderedInstead } from "./environment-recipes.ts";
import type { EnvironmentContext } from "./renderer.ts";

const id = ResourceId.parse(inGroup("Radius.Core/environments/env"));
const type = "Radius.Compute/routes";
const upstream = "ghcr.io/radius-project/kube-recipes/routes:latest";
const pack = (source: string, parameters: JsonObject = {}): JsonObject => ({
  recipes: { "radius.compute/Routes": { kind: "bicep", source, parameters } },
});
const environment = (recipePacks: readonly JsonObject[], properties: JsonObject = {}): EnvironmentContext => ({
  id,
  namespace: "apps",
  properties,
  recipePacks,
});

it("a type is rendered where the environment has no recipe for it, or that of the default pack", () => {
  assert.deepEqual(renderedInstead(environment([]), type, {}), {});
  assert.deepEqual(renderedInstead(environment([{}, pack(upstream, { a: 1 })]), type, {}), { a: 1 });
});

it("parameters of the resource win over those of the environment, and these over those of the pack", () => {
  const properties = { recipeParameters: { [type]: { b: 2, c: 2 } } };
  const own = { recipe: { name: "default", parameters: { c: 3 } } };
  const found = renderedInstead(environment([pack(upstream, { a: 1, b: 1, c: 1 })], properties), type, own);
  assert.deepEqual(found, { a: 1, b: 2, c: 3 });
});

it("a recipe of somebody's own is not replaced by ours", () => {
  assert.throws(() => renderedInstead(environment([pack("registry.example/routes:1")]), type, {}), {
    code: "DriverNotFoundFailure",
    message: /registry\.example\/routes:1.*does not run recipes/,
  });
  const recipes = { [type]: { default: { templateKind: "terraform", templatePath: "git::https://example.com/m" } } };
  assert.throws(() => renderedInstead(environment([], { recipes }), type, {}), { code: "DriverNotFoundFailure" });
});

it("a recipe that the resource names has to be there", () => {
  assert.throws(() => renderedInstead(environment([pack(upstream)]), type, { recipe: { name: "special" } }), {
    code: "RecipeNotFoundFailure",
    message: /^could not find recipe "special" in environment/,
  });
});
