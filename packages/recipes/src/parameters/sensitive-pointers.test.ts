import assert from "node:assert/strict";
import { it } from "node:test";
import { mergeParameters } from "./merge-parameters.ts";
import { type SealedSources, sensitivePointers } from "./sensitive-pointers.ts";

it("sealed values of the resource and of its environment are told by their place in parameters and context", () => {
  const properties = { recipe: { parameters: { password: null, mine: null } } };
  const ofResource = {
    "/properties/password": "p",
    "/properties/recipe/parameters/password": "p",
    "/properties/recipe/parameters/mine/deep": "p",
    "/properties/status/computedValues/url": "u",
  };
  const ofEnvironment = {
    "/properties/recipes/Test.Recipes~1things/default/parameters/token": "t",
    "/properties/recipes/Test.Recipes~1things/default/parameters/password": "overridden",
    "/properties/recipes/Test.Recipes~1things/other/parameters/token": "t",
    "/properties/recipeParameters/test.recipes~1THINGS/key": "k",
    "/properties/recipeParameters/Other.Type~1things/key2": "k",
  };

  const ofPacks: SealedSources["ofPacks"] = [
    { "/properties/recipes/test.recipes~1Things/parameters/packed": "s" },
    {
      "/properties/recipes/Other.Type~1things/parameters/key2": "s",
      "/properties/recipes/Test.Recipes~1things/source": "s",
    },
  ];

  const found = sensitivePointers({
    properties,
    definition: { name: "default", parameters: {} },
    type: "Test.Recipes/things",
    sealed: { ofResource, ofEnvironment, ofPacks },
  });

  assert.deepEqual(
    [...found].toSorted(),
    [
      "/context/resource/properties/password",
      "/context/resource/properties/recipe/parameters/mine/deep",
      "/context/resource/properties/recipe/parameters/password",
      "/key",
      "/mine/deep",
      "/packed",
      "/password",
      "/token",
    ].toSorted(),
  );
});

it("parameters of the resource replace those of the recipe whole, and context is nobody's", () => {
  const properties = { recipe: { parameters: { size: { cpu: 2 }, none: null, context: 1 } } };
  assert.deepEqual(mergeParameters({ size: { cpu: 1, memory: 1 }, none: 1, kept: true, context: 2 }, properties), {
    size: { cpu: 2 },
    none: null,
    kept: true,
  });
});

it("a secure value that holds all parameters makes each of them one", () => {
  for (const place of ["/default/parameters", "/default", ""]) {
    const ofEnvironment = { [`/properties/recipes/Test.Recipes~1things${place}`]: {} };
    const found = sensitivePointers({
      properties: { recipe: { parameters: { mine: 1 } } },
      definition: { name: "default", parameters: { token: "t", size: "L", mine: 2 } },
      type: "Test.Recipes/things",
      sealed: { ofResource: {}, ofEnvironment, ofPacks: [] },
    });
    assert.deepEqual(found, ["/token", "/size"]);
  }
});

it("so does one of the resource itself", () => {
  const found = sensitivePointers({
    properties: { recipe: { name: "default", parameters: { pin: 20394857, deep: { a: 1 } } } },
    definition: { name: "default", parameters: { size: "L" } },
    type: "Test.Recipes/things",
    sealed: { ofResource: { "/properties/recipe/parameters": {} }, ofEnvironment: {}, ofPacks: [] },
  });
  assert.deepEqual(found, ["/context/resource/properties/recipe/parameters", "/pin", "/deep"]);
});
