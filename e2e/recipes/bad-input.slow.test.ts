// What can be wrong with a recipe, and what the error says: the recipe, the module's address and the next command.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { ClientError } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { testProvider } from "@rad/terraform/testing/providers";
import { clientOf, group } from "../support/api.ts";
import { databases } from "../support/database.ts";
import type { TestDatabase } from "../support/database.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { bucketModule, bucketProvider } from "./bucket-module.ts";
import {
  coreVersion,
  createPlatform,
  deleteBucket,
  deployBucket,
  failureOf,
  openRecipeRig,
  outputResourcesOf,
  putSecret,
} from "./recipe-rig.ts";
import type { PlatformOptions, RecipeRig } from "./recipe-rig.ts";

let rig: RecipeRig;
let database: TestDatabase;
let server: ServerProcess;
before(async () => {
  rig = await openRecipeRig();
  database = await databases.sqlite();
  server = await database.startServer(rig.config(database.folder));
  await rig.prepare(server);
});
after(async () => {
  const hasDied = !server.isRunning;
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
  assert.ok(!hasDied, `the server has died:\n${server.output.slice(-5_000)}`);
});

interface BadRecipe {
  /** Of the module; the good one when absent. */
  readonly module?: string;
  /** `NAMESPACE/NAME/SYSTEM:VERSION`, where it is not the module. */
  readonly address?: string;
  readonly parameters?: JsonObject;
  readonly properties?: JsonObject;
  /** What else is wrong, until it is disposed. */
  readonly fault?: () => Disposable;
  readonly code: string;
  readonly message?: RegExp;
}

const withOutput = (value: string): string =>
  `${bucketModule.slice(0, bucketModule.indexOf(`output "result"`))}output "result" { value = ${value} }`;

const bad: Readonly<Record<string, BadRecipe>> = {
  "a module that does not exist": { address: "acme/nothing/aws:1.0.0", code: "RecipeDownloadFailed" },
  "a version that does not exist": { address: "acme/bucket/aws:9.9.9", code: "RecipeDownloadFailed" },
  "a module that does not parse": { module: `resource "aws_s3_bucket" {`, code: "RecipeDownloadFailed" },
  "a parameter that is no variable": {
    parameters: { colour: "blue" },
    code: "RecipeDeploymentFailed",
    message: /colour/u,
  },
  "a missing parameter": {
    module: `variable "size" { type = number }\n${bucketModule}`,
    code: "RecipeDeploymentFailed",
    message: /size/u,
  },
  "a parameter of the wrong type": {
    module: `variable "size" { type = number }\n${bucketModule}`,
    parameters: { size: "many" },
    code: "RecipeDeploymentFailed",
    message: /size/u,
  },
  "a result that is no object": { module: withOutput(`"text"`), code: "InvalidRecipeOutputs" },
  "a result with an unknown member": { module: withOutput(`{ valeus = {} }`), code: "InvalidRecipeOutputs" },
  "a provider that crashes": {
    fault: () => rig.cloud.fault(/^create .* bad-/u, { kind: "crash", when: "before" }),
    code: "RecipeDeploymentFailed",
  },
  "a cloud that refuses": {
    fault: () =>
      rig.cloud.fault(/^create .* bad-/u, { kind: "fail", when: "before", status: 403, message: "quota is used up" }),
    code: "RecipeDeploymentFailed",
    message: /quota is used up/u,
  },
};
let cases = 0;
for (const [what, recipe] of Object.entries(bad)) {
  it(`${what}: ${recipe.code}, and nothing is left behind`, async () => {
    cases += 1;
    const name = `bad-${cases}`;
    const { code, message = /(?:)/u } = recipe;
    rig.registry.publish(`acme/${name}/aws`, "1.0.0", { "main.tf": recipe.module ?? bucketModule });
    const address = `${rig.registry.host}/${recipe.address ?? `acme/${name}/aws:1.0.0`}`;
    const environment = await platform({ name, source: address, parameters: recipe.parameters ?? {} });
    using _ = recipe.fault?.();

    const error = await failureOf(() => deployBucket(server, name, { environment, ...recipe.properties }));

    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    assertHelps(error, address.replace(/:1\.0\.0$|:9\.9\.9$/u, ""));
    await deleteBucket(server, name);
    assert.deepEqual(rig.cloud.objects(), []);
  });
}

it("ids that a recipe lists are kept before those of its state, and one that is none is refused", async () => {
  const listed = [
    "/subscriptions/s/resourceGroups/made",
    "/planes/google/cloud/projects/p/providers/Google.Sql/instances/i",
  ];
  rig.registry.publish("acme/listed/aws", "1.0.0", {
    "main.tf": withOutput(`{ resources = ${JSON.stringify(listed)} }`),
  });
  rig.registry.publish("acme/listed/aws", "2.0.0", { "main.tf": withOutput(`{ resources = ["not an id"] }`) });
  const source = (version: string) => `${rig.registry.host}/acme/listed/aws:${version}`;
  const environment = await platform({ name: "listed", source: source("1.0.0") });

  const ids = outputResourcesOf(await deployBucket(server, "listed", { environment }));
  await platform({ name: "listed", source: source("2.0.0") });
  const error = await failureOf(() => deployBucket(server, "listed", { environment, team: "blue" }));
  await deleteBucket(server, "listed");

  const bucket = "/planes/aws/aws/accounts/123456789012/regions/global/providers/AWS.s3/bucket/listed";
  assert.deepEqual(ids, [...listed, bucket]);
  assert.equal(error.code, "RecipeValidationFailed");
  assert.equal(error.message, 'resource id "not an id" returned by recipe is invalid');
  assert.deepEqual(rig.cloud.objects(), []);
});

it("an apply that fails half-way records what it created: a retry goes on, and delete removes it", async () => {
  const environment = await platform({ name: "half" });
  const properties = { environment, bucketName: "half", copies: 3 };
  const fault = rig.cloud.fault(/^create aws_s3_bucket half-2$/u, { kind: "fail", when: "before", status: 400 });

  await assert.rejects(deployBucket(server, "half", properties), { code: "RecipeDeploymentFailed" });
  const { status } = (
    await clientOf(server).resources.get(`${group}/providers/Test.Stores/buckets/half`, { apiVersion: "2025-01-01" })
  ).properties as { status?: { outputResources?: readonly { id: string }[] } };
  assert.equal(status?.outputResources?.length, 2);
  fault[Symbol.dispose]();
  await deployBucket(server, "half", properties);

  assert.equal(rig.cloud.count("create", /^half/u), 3, "what was created is not created again");
  using stuck = rig.cloud.fault(/^delete aws_s3_bucket half-1$/u, { kind: "fail", when: "before" }, { times: 1 });
  const error = await failureOf(() => deleteBucket(server, "half"));
  assert.equal(error.code, "RecipeDeletionFailed");
  assert.ok(error.details.some(({ message }) => message.includes("aws_s3_bucket.this[1]")));
  await deleteBucket(server, "half");
  assert.equal(stuck.met, 1);
  assert.deepEqual(rig.cloud.objects(), []);
});

it("a secret that is deleted between save and run is named, and nothing runs", async () => {
  const secretId = await putSecret(server, "gone", { value: "canary-of-the-parameter" });
  const environment = await platform({ name: "gone", parameters: { secret: { secretId, key: "value" } } });
  await clientOf(server).resources.delete(secretId, { apiVersion: coreVersion });

  const error = await failureOf(() => deployBucket(server, "gone", { environment }));

  assert.equal(error.code, "LoadSecretsFailed");
  assert.match(error.message, /gone/u);
  assert.equal(rig.cloud.count("create", /^gone/u), 0);
});

for (const [what, name, version, arm] of [
  [
    "a mirror that lies about its archive",
    "lie",
    "5.91.0",
    () => rig.mirror.fault(/aws_.*zip$/u, { kind: "corrupt", at: 5_000 }),
  ],
  [
    "a mirror that lacks what it lists",
    "lack",
    "5.92.0",
    () => rig.mirror.fault(/5\.92\.0\.json$/u, { kind: "status", status: 404 }),
  ],
] as const) {
  it(`${what} is refused, and the next run takes a good one`, async () => {
    rig.mirror.publish(await testProvider({ ...bucketProvider, version, cloud: rig.cloud }));
    // A version that no run before has downloaded: the mirror is asked for it.
    rig.registry.publish(`acme/${name}/aws`, "1.0.0", { "main.tf": bucketModule.replace("~> 5.0", version) });
    const environment = await platform({ name, source: `${rig.registry.host}/acme/${name}/aws:1.0.0` });
    const fault = arm();
    const error = await failureOf(() => deployBucket(server, name, { environment }));
    assert.equal(error.code, "RecipeDeploymentFailed", error.message);
    assertHelps(error, `acme/${name}/aws`);
    assert.equal(rig.cloud.count("create", new RegExp(`^${name}`, "u")), 0);
    fault[Symbol.dispose]();

    await deployBucket(server, name, { environment });

    await deleteBucket(server, name);
  });
}

it("a wrong token of the registry is told without showing it", async () => {
  const environment = await platform({ name: "token" });
  await putSecret(server, "token-tokens", { mirror: "mirror-token-of-the-test", registry: "canary-wrong-token" });

  const error = await failureOf(() => deployBucket(server, "token", { environment }));

  assert.equal(error.code, "RecipeDownloadFailed");
  assert.doesNotMatch(JSON.stringify(error.wire), /canary/u);
});

async function platform(options: PlatformOptions): Promise<string> {
  return await createPlatform(rig, server, options);
}

/** Names the recipe, the module's address and a command. */
function assertHelps(error: ClientError, address: string): void {
  assert.match(error.message, /recipe/iu);
  assert.ok(error.message.includes(address), `${address} is not in: ${error.message}`);
  assert.match(error.message, /\brad \w+/u);
}
