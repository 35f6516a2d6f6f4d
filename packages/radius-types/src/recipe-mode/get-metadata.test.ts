import assert from "node:assert/strict";
import { it } from "node:test";
import { ResourceId } from "@rad/core";
import type { RecipeDefinition } from "../recipes/recipe-definition.ts";
import type { RecipeEngine } from "../recipes/recipe-engine.ts";
import { getMetadata } from "./get-metadata.ts";

const id = ResourceId.parse("/planes/radius/local/resourceGroups/g/providers/Applications.Core/environments/dev");
const type = "Applications.Core/extenders";

it("a sealed parameter is used to get the module, and not shown", async () => {
  const used: RecipeDefinition[] = [];
  const recipes = {
    parameters: async ({ definition }: { readonly definition: RecipeDefinition }) => {
      used.push(definition);
      return { password: { type: "string" }, user: { type: "object" }, size: { type: "string" }, free: {} };
    },
  } as unknown as RecipeEngine;
  const recipe = {
    templateKind: "terraform",
    templatePath: "https://***@git.example/r.git",
    parameters: { password: null, user: { name: "n", pin: null }, size: "S" },
  };
  const context = {
    id,
    properties: { recipes: { [type]: { default: recipe } } },
    secrets: async () => ({
      [`/properties/recipes/Applications.Core~1extenders/default/parameters/password`]: "hunter22",
      [`/properties/recipes/Applications.Core~1extenders/default/parameters/user/pin`]: "987654",
      [`/properties/recipes/Applications.Core~1extenders/default/templatePath`]: "https://u:tok@git.example/r.git",
    }),
    body: { resourceType: type, name: "default" },
  } as unknown as Parameters<ReturnType<typeof getMetadata>>[0];

  const answer = await getMetadata(recipes)(context);

  assert.deepEqual(used[0]?.parameters, { password: "hunter22", user: { name: "n", pin: "987654" }, size: "S" });
  assert.deepEqual(answer, {
    templateKind: "terraform",
    templatePath: "https://***@git.example/r.git",
    parameters: {
      password: { type: "string", value: null },
      user: { type: "object", value: { name: "n", pin: null } },
      size: { type: "string", value: "S" },
      free: {},
    },
  });
});
