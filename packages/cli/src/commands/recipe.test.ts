import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { JsonObject } from "@rad/core";
import { startTestServer } from "@rad/client/testing";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, createSandbox, startControlPlane } from "../testing/sandbox.ts";

let server: TestControlPlane;
before(async () => {
  server = await startControlPlane();
});
after(() => server[Symbol.asyncDispose]());

const redis = "Applications.Datastores/redisCaches";
const module = ["--template-kind", "terraform", "--template-path", "contoso/redis/kubernetes"] as const;

/** A sandbox whose workspace has a group and an environment of its own. */
async function inEnvironment(name: string, ...flags: readonly string[]): Promise<Sandbox> {
  const sandbox = await createConnectedSandbox(server);
  await ok(sandbox, "group", "create", name);
  await ok(sandbox, "group", "switch", name);
  await ok(sandbox, "env", "create", name, ...flags);
  await ok(sandbox, "env", "switch", name);
  return sandbox;
}

async function ok(sandbox: Sandbox, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.rad(args);
  assert.equal(code, 0, `rad ${args.join(" ")}: ${stderr}`);
  return stdout;
}

async function recipesIn(sandbox: Sandbox): Promise<JsonObject> {
  return JSON.parse(await ok(sandbox, "env", "show", "-o", "json")).properties.recipes;
}

test("a recipe is registered, listed, replaced and unregistered", async () => {
  await using sandbox = await inEnvironment("whole");
  const version = ["--template-version", "1.2.0"];

  const linked = await ok(sandbox, "recipe", "register", "default", "--resource-type", redis, ...module, ...version);
  const listed = await ok(sandbox, "recipe", "list");
  const json = JSON.parse(await ok(sandbox, "recipe", "list", "-o", "json"));
  await ok(sandbox, "recipe", "register", "default", "--resource-type", redis.toLowerCase(), ...module);
  const replaced = await recipesIn(sandbox);
  const gone = await ok(sandbox, "recipe", "unregister", "default", "--resource-type", redis);

  assert.equal(linked, 'Successfully linked recipe "default" to environment "whole" \n');
  assert.equal(
    listed,
    [
      "RECIPE    TYPE                                 TEMPLATE KIND  TEMPLATE VERSION  TEMPLATE",
      "default   Applications.Datastores/redisCaches  terraform      1.2.0             contoso/redis/kubernetes",
      "",
    ].join("\n"),
  );
  assert.deepEqual(json, [
    {
      name: "default",
      resourceType: redis,
      templateKind: "terraform",
      templatePath: "contoso/redis/kubernetes",
      templateVersion: "1.2.0",
    },
  ]);
  assert.deepEqual(replaced, {
    [redis]: { default: { templateKind: "terraform", templatePath: "contoso/redis/kubernetes", templateVersion: "" } },
  });
  assert.equal(gone, 'Successfully unregistered recipe "default" from environment "whole" \n');
  assert.deepEqual(JSON.parse(await ok(sandbox, "recipe", "list", "-o", "json")), []);
});

test("a recipe keeps the others, and what else the environment has", async () => {
  await using sandbox = await inEnvironment("others", "--kubernetes-namespace", "elsewhere");

  for (const [name, type] of [
    ["small", redis],
    ["large", redis],
    ["default", "Applications.Datastores/mongoDatabases"],
  ] as const) {
    await ok(sandbox, "recipe", "register", name, "--resource-type", type, ...module);
  }
  await ok(sandbox, "recipe", "unregister", "small", "--resource-type", "redisCaches");

  const { properties } = JSON.parse(await ok(sandbox, "env", "show", "-o", "json"));
  assert.equal(properties.compute.namespace, "elsewhere");
  const names = JSON.parse(await ok(sandbox, "recipe", "list", "-o", "json")).map(
    ({ name, resourceType }: { name: string; resourceType: string }) => `${name} ${resourceType}`,
  );
  assert.deepEqual(names, ["default Applications.Datastores/mongoDatabases", `large ${redis}`]);
});

test("parameters are values without a wrapper, later ones over earlier ones", async () => {
  await using sandbox = await inEnvironment("parameters");
  await writeFile(join(sandbox.home, "tags.json"), '{ "team": "a", "sizes": [1, 2.5] }');
  await writeFile(
    join(sandbox.home, "all.json"),
    '{ "parameters": { "size": { "value": 3 }, "port": { "value": 1 } } }',
  );

  const parameters = ["-p", "size=small", "-p", "@all.json", "-p", "tags=@tags.json", "-p", "port=a=b"];

  await ok(sandbox, "recipe", "register", "default", "--resource-type", redis, ...module, ...parameters);

  const recipes = await recipesIn(sandbox);
  assert.deepEqual(recipes[redis], {
    default: {
      templateKind: "terraform",
      templatePath: "contoso/redis/kubernetes",
      templateVersion: "",
      parameters: { size: 3, port: "a=b", tags: { team: "a", sizes: [1, 2.5] } },
    },
  });
});

for (const [what, args, code] of [
  ["an unknown kind", ["--template-kind", "helm", "--template-path", "x"], "InvalidUsage"],
  ["no kind", ["--template-path", "x"], "InvalidUsage"],
  [
    "a version of a Bicep template",
    ["--template-kind", "bicep", "--template-path", "x", "--template-version", "1"],
    "InvalidUsage",
  ],
  ["plain HTTP for a module", [...module, "--plain-http"], "InvalidUsage"],
  ["an empty path", ["--template-kind", "terraform", "--template-path", " "], "InvalidUsage"],
  ["a parameter that is none", [...module, "-p", "nothing"], "InvalidParameter"],
  ["a parameter of a key vault", [...module, "-p", "@vault.json"], "InvalidParameter"],
] as const) {
  test(`registering a recipe with ${what} is refused, and nothing is sent`, async () => {
    await using sandbox = await createConnectedSandbox(server);
    await writeFile(join(sandbox.home, "vault.json"), '{ "parameters": { "key": { "reference": {} } } }');

    const answer = await sandbox.rad(["recipe", "register", "default", "--resource-type", redis, ...args]);

    assert.equal(answer.code, 1);
    assert.match(answer.stderr, new RegExp(`Code: {2}${code}\n`));
  });
}

test("what is missing is named: the recipe, the environment, the type", async () => {
  await using sandbox = await inEnvironment("missing");

  const recipe = await sandbox.rad(["recipe", "unregister", "none", "--resource-type", redis]);
  const environment = await sandbox.rad(["recipe", "list", "-e", "nowhere"]);
  const type = await sandbox.rad(["recipe", "unregister", "x", "--resource-type", "nothings"]);

  assert.match(recipe.stderr, /^The environment "missing" has no recipe "none" for the type .*rad recipe list/);
  assert.match(recipe.stderr, /Code: {2}RecipeNotFound/);
  assert.match(environment.stderr, /Code: {2}EnvironmentNotFound/);
  assert.match(type.stderr, /Code: {2}ResourceTypeNotFound/);
  assert.deepEqual([recipe.code, environment.code, type.code], [1, 1, 1]);
});

test("--group is honoured", async () => {
  await using sandbox = await inEnvironment("honoured");
  await ok(sandbox, "group", "create", "other");
  await ok(sandbox, "env", "create", "far", "-g", "other");

  await ok(sandbox, "recipe", "register", "r", "-e", "far", "-g", "other", "--resource-type", redis, ...module);

  assert.equal(JSON.parse(await ok(sandbox, "recipe", "list", "-e", "far", "-g", "other", "-o", "json")).length, 1);
  assert.equal(JSON.parse(await ok(sandbox, "recipe", "list", "-o", "json")).length, 0);
});

test("a token in the source of a module is not shown", async () => {
  await using sandbox = await inEnvironment("token");
  const path = "git::https://someone:canary-in-a-path@example.com/a.git";

  const template = ["--template-kind", "terraform", "--template-path", path];

  await ok(sandbox, "recipe", "register", "r", "--resource-type", redis, ...template);

  const shown = `${await ok(sandbox, "recipe", "list")}${await ok(sandbox, "recipe", "list", "-o", "json")}`;
  assert.ok(!shown.includes("canary"), shown);
  assert.match(shown, /git::https:\/\/\*\*\*@example\.com\/a\.git/);
});

test("an environment of Radius.Core lists the recipes of its packs, and is changed through them", async () => {
  await using sandbox = await inEnvironment("packs", "--preview");

  const listed = JSON.parse(await ok(sandbox, "recipe", "list", "-o", "json"));
  const refused = await sandbox.rad(["recipe", "register", "default", "--resource-type", redis, ...module]);

  assert.equal(listed[0].resourceType, "Radius.Compute/containers");
  assert.equal(listed[0].name, "default");
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /rad recipe-pack create <name> --from-file/);
  assert.match(refused.stderr, /Code: {2}RecipesInPacks/);
});

/** Of a control plane that has read a template. */
const metadata = {
  templateKind: "terraform",
  templatePath: "contoso/redis/kubernetes",
  templateVersion: "1.2.0",
  parameters: {
    size: { type: "string", defaultValue: "small", value: "large" },
    port: { type: "number", defaultValue: 6379, minValue: 1, maxValue: 65535 },
    tags: { type: "map(string)" },
  },
};

async function showing(answer: JsonObject, ...args: readonly string[]) {
  const bodies: unknown[] = [];
  await using scripted = await startTestServer({
    intercept: ({ path, body }, response) => {
      const isMetadata = path.includes("/getMetadata");
      if (isMetadata) {
        bodies.push(body);
        response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
      }
      return isMetadata;
    },
  });
  await using sandbox = await createSandbox();
  await ok(sandbox, "workspace", "create", "server", "test", "--url", scripted.url);
  await ok(sandbox, "group", "create", "dev");
  await ok(sandbox, "group", "switch", "dev");
  await ok(sandbox, "env", "create", "dev");
  const shown = await ok(sandbox, "recipe", "show", "default", "-e", "dev", "--resource-type", redis, ...args);
  return { shown, bodies };
}

test("a recipe is shown with the parameters of its template, from Z to A", async () => {
  const { shown, bodies } = await showing(metadata);

  assert.equal(
    shown,
    [
      "RECIPE    TYPE                                 TEMPLATE KIND  TEMPLATE VERSION  TEMPLATE",
      "default   Applications.Datastores/redisCaches  terraform      1.2.0             contoso/redis/kubernetes",
      "",
      "PARAMETER  TYPE         DEFAULT VALUE  VALUE     MIN       MAX",
      "tags       map(string)  -              -         -         -",
      "size       string       small          large     -         -",
      "port       number       6379           -         1         65535",
      "",
    ].join("\n"),
  );
  assert.deepEqual(bodies, [{ name: "default", resourceType: redis }]);
});

test("a recipe is one document in JSON, and says so when it has no parameters", async () => {
  const json = JSON.parse((await showing(metadata, "-o", "json")).shown);
  const { shown } = await showing({ ...metadata, parameters: {} });

  assert.equal(json.templatePath, "contoso/redis/kubernetes");
  assert.deepEqual(json.parameters[0], { name: "tags", type: "map(string)" });
  assert.match(shown, /\n\nThe recipe has no parameters\.\n$/);
});
