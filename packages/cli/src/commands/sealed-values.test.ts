/** Commands that read a resource, change it and write it back, against a control plane: values shown as `null` stay sealed. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";

const redis = "Applications.Datastores/redisCaches";

let server: TestControlPlane;
let sandbox: Sandbox;
before(async () => {
  server = await startControlPlane();
  sandbox = await createConnectedSandbox(server);
});
after(async () => {
  await sandbox[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function ok(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.rad(args);
  assert.equal(code, 0, `rad ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** Deploys the resources of `file`, whose secure parameter is `key`. */
async function deploy(name: string, file: string): Promise<void> {
  await writeFile(join(sandbox.home, `${name}.bicep`), `extension radius\n@secure()\nparam key string\n${file}`);
  await ok("deploy", `${name}.bicep`, "-p", "key=canary-key");
}

/** The changes to sealed values that a deployment with this key would make, as what-if shows them. */
async function sealedChanges(name: string, key: string): Promise<readonly string[]> {
  const shown = await ok("deploy", `${name}.bicep`, "-p", `key=${key}`, "--what-if");
  assert.ok(!shown.includes("canary-key"), shown);
  return shown.split("\n").filter((line) => /key|parameters|TOKEN|templatePath/iu.test(line));
}

const legacy = (
  name: string,
  recipeConfig = "",
): string => `resource env 'Applications.Core/environments@2023-10-01-preview' = {
  name: '${name}'
  properties: {
    compute: { kind: 'kubernetes', namespace: '${name}' }
    recipes: {
      '${redis}': {
        default: { templateKind: 'terraform', templatePath: 'registry.example/acme/redis/aws', parameters: { key: key } }
      }
    }
    ${recipeConfig}
  }
}
`;
const address = (name: string): string =>
  legacy(name).replace(
    "'registry.example/acme/redis/aws', parameters: { key: key }",
    "'git::https://ann:${key}@git.example/a.git'",
  );
const variables = "recipeConfig: { env: { TOKEN: key } }";

const packs = (name: string): string => `resource first 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: '${name}-first'
  properties: { recipes: { 'Radius.Data/redisCaches': { kind: 'terraform', source: 'registry.example/acme/redis/aws' } } }
}
resource second 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: '${name}-second'
  properties: { recipes: { 'Radius.Data/mySqlDatabases': { kind: 'terraform', source: 'registry.example/acme/sql/aws' } } }
}
`;
const core = (name: string): string => `resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: '${name}'
  properties: {
    recipePacks: ['${name}-first', '${name}-second']
    recipeParameters: { 'Radius.Data/redisCaches': { key: key } }
  }
}
`;

const register = ["--template-kind", "terraform", "--template-path", "registry.example/acme/redis/gcp"];
const aws = ["--aws-region", "us-west-2", "--aws-account-id", "123456789012"];

for (const { command, name, file, before: first = "", runs } of [
  { command: "env update", name: "update", file: legacy("update"), runs: [["env", "update", "update", ...aws]] },
  {
    command: "env update",
    name: "variables",
    file: legacy("variables", variables),
    runs: [["env", "update", "variables", ...aws]],
  },
  {
    command: "env update and recipe register",
    name: "address",
    file: address("address"),
    runs: [
      ["env", "update", "address", ...aws],
      ["recipe", "register", "other", "-e", "address", "--resource-type", redis, ...register],
      ["recipe", "unregister", "other", "-e", "address", "--resource-type", redis],
    ],
  },
  {
    command: "recipe register and unregister",
    name: "register",
    file: legacy("register"),
    runs: [
      ["recipe", "register", "other", "-e", "register", "--resource-type", redis, ...register],
      ["recipe", "unregister", "other", "-e", "register", "--resource-type", redis],
    ],
  },
  {
    command: "env update and recipe-pack delete",
    name: "core",
    before: packs("core"),
    file: core("core"),
    runs: [
      ["env", "update", "core", ...aws],
      ["recipe-pack", "delete", "core-second", "--yes"],
      ["deploy", "core-before.bicep", "-p", "key=none"], // the file of the environment names the pack
    ],
  },
]) {
  test(`rad ${command} keeps sealed values of the environment "${name}"`, async () => {
    if (first !== "") {
      await deploy(`${name}-before`, first);
    }
    await deploy(name, file);
    const before = await sealedChanges(name, "canary-key");
    const other = await sealedChanges(name, "another");

    for (const run of runs) {
      await ok(...run);
    }

    assert.notDeepEqual(other, before, "what-if tells another value");
    assert.deepEqual(await sealedChanges(name, "canary-key"), before);
    assert.deepEqual(await sealedChanges(name, "another"), other);
  });
}
