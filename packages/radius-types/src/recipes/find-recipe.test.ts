import assert from "node:assert/strict";
import { it } from "node:test";
import { ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { inGroup } from "../testing/ids.ts";
import { findRecipe, loadRecipePacks, recipeNameOf } from "./find-recipe.ts";
import { splitModuleVersion } from "./module-version.ts";

const id = ResourceId.parse(inGroup("Radius.Core/environments/env"));

it("a recipe of an Applications.Core environment is found by type, ignoring case, and by name", () => {
  const fast = {
    templateKind: "terraform",
    templatePath: "hashicorp/consul/aws",
    templateVersion: "1.2.3",
    parameters: { a: 1 },
  };
  const properties = { recipes: { "Applications.Datastores/redisCaches": { fast } } };

  assert.deepEqual(findRecipe({ properties }, "applications.datastores/rediscaches", "fast"), {
    name: "fast",
    kind: "terraform",
    source: "hashicorp/consul/aws",
    version: "1.2.3",
    parameters: { a: 1 },
  });
  assert.equal(findRecipe({ properties }, "Applications.Datastores/redisCaches", "default"), undefined);
  assert.equal(findRecipe({ properties }, "Applications.Datastores/mongoDatabases", "fast"), undefined);
});

it("the first pack with the type wins, and the environment's parameters replace the pack's one by one", () => {
  const packs: JsonObject[] = [
    { recipes: { "Radius.Data/other": { kind: "terraform", source: "a/b/c" } } },
    {
      recipes: {
        "radius.data/redisCaches": {
          kind: "terraform",
          source: "example.com/ns/redis/aws:2.0.0",
          parameters: { size: { cpu: 1, memory: 1 }, name: "x" },
          outputs: { host: "address", wrong: 7, secrets: { password: "secret_password" } },
        },
      },
    },
    { recipes: { "Radius.Data/redisCaches": { kind: "bicep", source: "late" } } },
  ];
  const properties = { recipeParameters: { "Radius.data/RedisCaches": { size: { cpu: 2 } } } };

  assert.deepEqual(findRecipe({ properties, recipePacks: packs }, "Radius.Data/redisCaches", "default"), {
    name: "default",
    kind: "terraform",
    source: "example.com/ns/redis/aws",
    version: "2.0.0",
    parameters: { size: { cpu: 2 }, name: "x" },
    outputs: { host: "address" },
    secretOutputs: { password: "secret_password" },
  });
  assert.equal(findRecipe({ properties, recipePacks: packs }, "Radius.Data/redisCaches", "named"), undefined);
});

it("a resource that names no recipe asks for the one called default", () => {
  assert.equal(recipeNameOf({}), "default");
  assert.equal(recipeNameOf({ recipe: { parameters: {} } }), "default");
  assert.equal(recipeNameOf({ recipe: { name: "fast" } }), "fast");
});

const sources: readonly (readonly [source: string, address: string, version: string | undefined])[] = [
  ["terraform-aws-modules/rds/aws:6.1.0", "terraform-aws-modules/rds/aws", "6.1.0"],
  ["registry.example.com/ns/name/aws:1.0.0", "registry.example.com/ns/name/aws", "1.0.0"],
  ["registry.example.com:8443/ns/name/aws:1.0.0", "registry.example.com:8443/ns/name/aws", "1.0.0"],
  ["registry.example.com:8443/ns/name/aws", "registry.example.com:8443/ns/name/aws", undefined],
  ["git::https://example.com/repo.git?ref=v1", "git::https://example.com/repo.git?ref=v1", undefined],
  ["https://example.com:8443/module.zip", "https://example.com:8443/module.zip", undefined],
  ["git@example.com:org/repo", "git@example.com:org/repo", undefined],
  ["module:1", "module:1", undefined],
  ["ns/name/aws:", "ns/name/aws:", undefined],
];
for (const [source, address, version] of sources) {
  it(`${source} has ${version === undefined ? "no version" : `the version ${version}`}`, () => {
    assert.deepEqual(splitModuleVersion(source), { source: address, ...(version === undefined ? {} : { version }) });
  });
}

it("packs are found whole, by id and by name in the environment's group, and missing ones are left out", async () => {
  const asked: string[] = [];
  const packs = await loadRecipePacks(
    id,
    { recipePacks: [inGroup("Radius.Core/recipePacks/one"), "two", "gone"] },
    {
      secrets: () =>
        Promise.resolve({ "/properties/name": "two", "/properties/at": "git::https://ann:token@git.example/a.git" }),
      get: (wanted) => {
        asked.push(wanted);
        const name = wanted.split("/").at(-1) ?? "";
        const properties = name === "two" ? { name: null, at: "git::https://***@git.example/a.git" } : { name };
        const body = { properties };
        return Promise.resolve(wanted.endsWith("gone") ? undefined : ({ body, parsed: () => body } as never));
      },
    },
  );

  assert.deepEqual(packs, [{ name: "one" }, { name: "two", at: "git::https://ann:token@git.example/a.git" }]);
  assert.deepEqual(asked[1], inGroup("Radius.Core/recipePacks/two"));
});

it("credentials of an address are no part of a recipe's source, which everybody sees", () => {
  const templatePath = "git::https://ann:t%40ken@git.example/a.git?ref=v1&sshkey=canary";
  const named = findRecipe(
    { properties: { recipes: { "A.B/c": { x: { templateKind: "terraform", templatePath } } } } },
    "A.B/c",
    "x",
  );
  const ofPack = findRecipe(
    { properties: {}, recipePacks: [{ recipes: { "A.B/c": { kind: "terraform", source: templatePath } } }] },
    "A.B/c",
    "default",
  );

  for (const found of [named, ofPack]) {
    assert.equal(found?.source, "git::https://***@git.example/a.git?ref=v1&sshkey=***");
    assert.deepEqual(found.userInfo, { username: "ann", password: "t@ken" });
    assert.deepEqual(found.secretQuery, [{ name: "sshkey", value: "canary" }]);
  }
});
