import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";

let server: TestControlPlane;
before(async () => {
  server = await startControlPlane();
});
after(() => server[Symbol.asyncDispose]());

const recipes = `recipes:
  Radius.Data/redisCaches:
    kind: terraform
    source: git::https://someone:canary-in-a-source@example.com/redis.git
    parameters:
      size: small
      ports: [1, 2]
  Radius.Data/mySqlDatabases:
    kind: bicep
    source: ghcr.io/contoso/mysql:1.0
`;

async function inGroup(group: string): Promise<Sandbox> {
  const sandbox = await createConnectedSandbox(server);
  await ok(sandbox, "group", "create", group);
  await ok(sandbox, "group", "switch", group);
  await writeFile(join(sandbox.home, "recipes.yaml"), recipes);
  return sandbox;
}

async function ok(sandbox: Sandbox, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.rad(args);
  assert.equal(code, 0, `rad ${args.join(" ")}: ${stderr}`);
  return stdout;
}

test("a recipe pack is created from a file, listed, shown, replaced and deleted", async () => {
  await using sandbox = await inGroup("packs");

  const created = await ok(sandbox, "recipe-pack", "create", "team", "-f", "recipes.yaml");
  const listed = await ok(sandbox, "recipe-pack", "list", "-g", "packs");
  const shown = await ok(sandbox, "recipe-pack", "show", "team");
  await writeFile(join(sandbox.home, "none.json"), '{"properties":{"recipes":{}}}');
  const updated = await ok(sandbox, "recipe-pack", "create", "team", "--from-file", "none.json");
  const empty = await ok(sandbox, "recipe-pack", "show", "team");
  const deleted = await ok(sandbox, "recipe-pack", "delete", "team", "--yes");
  const again = await ok(sandbox, "recipe-pack", "delete", "team", "--yes");

  const table = "RECIPE PACK  GROUP\nteam         packs\n";
  assert.equal(created, "Radius.Core/recipePacks/team created\n");
  assert.equal(listed, table);
  assert.equal(
    shown,
    `${table}
RECIPES:
Radius.Data/mySqlDatabases
   Kind: bicep
   Source: ghcr.io/contoso/mysql:1.0

Radius.Data/redisCaches
   Kind: terraform
   Source: git::https://***@example.com/redis.git
   Parameters:
      size: small
      ports:
        - 1
        - 2
`,
  );
  assert.equal(updated, "Radius.Core/recipePacks/team updated\n");
  assert.equal(empty, `${table}\nRECIPES: none\n`);
  assert.equal(deleted, "Radius.Core/recipePacks/team deleted\n");
  assert.equal(again, "Radius.Core/recipePacks/team not found\n");
});

test("without a group, the packs of all groups are listed", async () => {
  await using sandbox = await inGroup("packs-a");
  await ok(sandbox, "group", "create", "packs-b");
  await ok(sandbox, "recipe-pack", "create", "one", "-f", "recipes.yaml");
  await ok(sandbox, "recipe-pack", "create", "two", "-f", "recipes.yaml", "-g", "packs-b");

  const names = (text: string) =>
    (JSON.parse(text) as { name: string; id: string }[])
      .filter(({ id }) => id.includes("/packs-"))
      .map(({ name }) => name)
      .sort();
  assert.deepEqual(names(await ok(sandbox, "recipe-pack", "list", "-o", "json")), ["one", "two"]);
  assert.deepEqual(names(await ok(sandbox, "recipe-pack", "list", "-g", "packs-b", "-o", "json")), ["two"]);
});

test("a token in a source is not shown, in JSON neither", async () => {
  await using sandbox = await inGroup("packs-token");
  await ok(sandbox, "recipe-pack", "create", "team", "-f", "recipes.yaml");

  for (const args of [["list"], ["show", "team"]]) {
    const shown = await ok(sandbox, "recipe-pack", ...args, "-o", "json");
    assert.ok(!shown.includes("canary"), shown);
  }
});

test("a pack in use is taken out of the environments that use it, and then deleted", async () => {
  await using sandbox = await inGroup("packs-used");
  await ok(sandbox, "recipe-pack", "create", "team", "-f", "recipes.yaml");
  await writeFile(
    join(sandbox.home, "other.yaml"),
    "recipes: { Radius.Data/mongoDatabases: { kind: terraform, source: contoso/mongo/kubernetes } }",
  );
  await ok(sandbox, "recipe-pack", "create", "other", "-f", "other.yaml");
  await ok(sandbox, "env", "create", "dev", "--preview", "--recipe-packs", "team,other");

  const asked = await sandbox.rad(["recipe-pack", "delete", "team"]);
  const deleted = await ok(sandbox, "recipe-pack", "delete", "team", "-y", "-o", "json");

  const { properties } = JSON.parse(await ok(sandbox, "env", "show", "dev", "-o", "json"));
  assert.match(asked.stderr, /used by the environment\(s\) "dev", which will be changed/);
  assert.equal(JSON.parse(deleted).status, "deleted");
  assert.equal(properties.recipePacks.length, 1);
  assert.match(properties.recipePacks[0], /recipePacks\/other$/);
});

for (const [what, text, code] of [
  ["not YAML", "recipes: [", "InvalidRequestContent"],
  ["of another shape", "packs: {}", "InvalidRequestContent"],
  ["a list", "- recipes", "InvalidRequestContent"],
] as const) {
  test(`a file that is ${what} is refused`, async () => {
    await using sandbox = await inGroup("packs-bad");
    await writeFile(join(sandbox.home, "bad.yaml"), text);

    const { code: exit, stderr } = await sandbox.rad(["recipe-pack", "create", "bad", "-f", "bad.yaml"]);

    assert.equal(exit, 1);
    assert.match(stderr, new RegExp(`Code: {2}${code}`));
  });
}

test("a pack that does not exist is named with its group", async () => {
  await using sandbox = await inGroup("packs-none");
  await ok(sandbox, "recipe-pack", "create", "team", "-f", "recipes.yaml");

  const { code, stderr } = await sandbox.rad(["recipe-pack", "show", "teem"]);

  assert.equal(code, 1);
  assert.match(stderr, /"teem" does not exist in the group "packs-none".*Did you mean "team"\?/s);
  assert.match(stderr, /Code: {2}RecipePackNotFound/);
});
