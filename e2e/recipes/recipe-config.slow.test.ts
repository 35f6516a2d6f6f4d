// What environments of both families configure runs with: who may use `recipeConfig`, and where its secrets go.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { ModuleRegistry, ProviderRegistry } from "@rad/terraform/testing";
import { testProvider } from "@rad/terraform/testing/providers";
import { group } from "../support/api.ts";
import { databases } from "../support/database.ts";
import type { TestDatabase } from "../support/database.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { assertNoFile, assertNoText, canary, commandLines } from "../support/leaks.ts";
import type { Canary } from "../support/leaks.ts";
import { openDownloadRig } from "./download-rig.ts";
import type { DownloadRig } from "./download-rig.ts";
import {
  bucketId,
  bucketType,
  createPlatform,
  deleteBucket,
  deployBucket,
  failureOf,
  legacyVersion,
  outputResourcesOf,
  put,
  putLegacyPlatform,
} from "./recipe-rig.ts";
import type { RecipeRig } from "./recipe-rig.ts";

let downloads: DownloadRig;
let rig: RecipeRig;
let publicRegistry: ProviderRegistry;
let modules: ModuleRegistry;
let network: DownloadRig["network"];
let database: TestDatabase;
let server: ServerProcess;
before(async () => {
  downloads = await openDownloadRig();
  ({ rig, publicRegistry, modules, network, database, server } = downloads);
});
after(async () => {
  await downloads[Symbol.asyncDispose]();
});

it("a Radius.Core environment never uses recipeConfig, and without settings it runs nothing", async () => {
  const environment = await createPlatform(rig, server, { name: "core" });
  const recipeConfig = { env: { MARK: "of-recipe-config" } };
  const properties = { recipePacks: [`${group}/providers/Radius.Core/recipePacks/core`], recipeConfig };
  const terraformSettings = `${group}/providers/Radius.Core/terraformSettings/core`;
  await put(server, "Radius.Core/environments/core", { ...properties, terraformSettings });
  await deployBucket(server, "core", { environment });
  const asked = rig.cloud.requests.length + rig.registry.requests.length + rig.mirror.requests.length;

  await put(server, "Radius.Core/environments/core", properties);
  const error = await failureOf(() => deployBucket(server, "core", { environment, team: "blue" }));

  assert.ok(!rig.cloud.requests.some(({ environment: given }) => given.includes("MARK=of-recipe-config")));
  assert.equal(error.code, "RecipeConfigurationFailure");
  assert.match(error.message, /terraformSettings must be set on the environment "\S+\/core"/u);
  assert.equal(rig.cloud.requests.length + rig.registry.requests.length + rig.mirror.requests.length, asked);
  await put(server, "Radius.Core/environments/core", { ...properties, terraformSettings });
  await deleteBucket(server, "core");
});

it("a control plane that does not require settings runs such an environment with defaults", async () => {
  await using own = await databases.sqlite();
  const { terraform } = rig.config(own.folder);
  await using free = await own.startServer({ terraform: { ...terraform, requireSettings: false } }, network);
  await rig.prepare(free);
  const source = `${modules.host}/acme/bucket/aws:1.0.0`;
  const pack = await put(free, "Radius.Core/recipePacks/free", {
    recipes: { [bucketType]: { kind: "terraform", source } },
  });
  const environment = await put(free, "Radius.Core/environments/free", { recipePacks: [pack] });

  const { arn } = await deployBucket(free, "free", { environment });

  assert.equal(arn, "arn:aws:s3:::free");
  await deleteBucket(free, "free");
});

it("a backend in a cluster, where there is none, is refused before Terraform runs", async () => {
  const environment = await createPlatform(rig, server, {
    name: "no-cluster",
    backend: { type: "kubernetes", config: { secretSuffix: "s", namespace: "n" } },
  });
  const asked = rig.registry.requests.length;

  const error = await failureOf(() => deployBucket(server, "no-cluster", { environment }));

  assert.equal(error.code, "RecipeConfigurationFailure");
  assert.match(error.message, /this control plane has none/u);
  assert.equal(rig.registry.requests.length, asked);
});

it("a resource without an id is told in the log with its address, and the recipe succeeds", async () => {
  const environment = await putLegacyPlatform(server, {
    name: "no-scope",
    source: `${modules.host}/acme/bucket/aws`,
    version: "1.0.0",
    recipeConfig: { env: network },
  });

  const properties = await deployBucket(server, "no-scope", { environment });

  assert.deepEqual(outputResourcesOf(properties), []);
  const line = server.output.split("\n").find((each) => each.includes("a resource of the recipe has no id"));
  assert.match(line ?? "", /module\.default\.aws_s3_bucket\.this\[0\]/u);
  assert.match(line ?? "", /account/u);
  await deleteBucket(server, "no-scope");
});

/** Gives its own provider a variable, and the one of the environment what it has. */
const vaultModule = `
terraform {
  required_providers {
    aws   = { source = "hashicorp/aws", version = "5.90.0" }
    vault = { source = "acme/vault", version = "1.0.0" }
  }
}
variable "context" { type = any }
variable "token" {
  type      = string
  sensitive = true
}
provider "vault" {
  token = var.token
}
resource "vault_secret" "this" {
  name = var.context.resource.name
}
resource "aws_s3_bucket" "this" {
  bucket = var.context.resource.name
  secret = var.token
  tags   = { team = try(var.context.resource.properties.team, "none") }
}
`;

it("secrets of recipeConfig reach providers of the module and of the environment, and nothing else, also in a crash", async () => {
  const [token, secretKey, variable] = [canary("Token", `"$\{a}'`), canary("Key", "+/="), canary("Variable", "%{b}\\")];
  const all: readonly Canary[] = [token, secretKey, variable];
  await publicRegistry.publish(
    await testProvider({
      address: "acme/vault",
      version: "1.0.0",
      cloud: rig.cloud,
      provider: { attributes: { token: { sensitive: true } } },
      resources: { vault_secret: { attributes: { name: { required: true }, id: { computed: "vault/{name}" } } } },
    }),
  );
  modules.publish("acme/vault/aws", "1.0.0", { "main.tf": vaultModule });
  const store = await put(
    server,
    "Applications.Core/secretStores/legacy",
    {
      type: "generic",
      data: { key: { value: secretKey.value }, variable: { value: variable.value }, token: { value: token.value } },
    },
    legacyVersion,
  );
  const environment = await putLegacyPlatform(server, {
    name: "secrets",
    source: `${modules.host}/acme/vault/aws`,
    version: "1.0.0",
    parameters: { token: { secretId: store, key: "token" } },
    recipeConfig: {
      terraform: {
        providers: { aws: [{ region: "eu-west-1", secrets: { secret_key: { source: store, key: "key" } } }] },
      },
      env: { ...network, TF_LOG: "TRACE" },
      envSecrets: { PRIVATE_VARIABLE: { source: store, key: "variable" } },
    },
  });
  const from = rig.cloud.requests.length;
  const seen: string[] = [];
  const stall = rig.cloud.fault(/^create aws_s3_bucket secrets/u, { kind: "stall", when: "after" });
  const deployed = deployBucket(server, "secrets", { environment });
  await Promise.race([stall.first, deployed]);
  assertNoFile(database.folder, all);
  seen.push(...commandLines());
  stall[Symbol.dispose]();
  seen.push(JSON.stringify(await deployed));

  const crash = rig.cloud.fault(/^update aws_s3_bucket secrets/u, { kind: "crash", when: "before" });
  const error = await failureOf(() => deployBucket(server, "secrets", { environment, team: "blue" }));
  crash[Symbol.dispose]();
  assertNoFile(database.folder, all);
  const log = await (
    await fetch(`${server.url}/recipes/logs${bucketId("secrets")}`, {
      headers: { authorization: `Bearer ${server.token}` },
    })
  ).text();
  seen.push(error.message, JSON.stringify(error.wire), log);
  await deployBucket(server, "secrets", { environment, team: "blue" });
  await deleteBucket(server, "secrets");
  seen.push(server.output);

  const configured = rig.cloud.requests.slice(from).filter(({ action }) => action === "configure");
  assert.ok(
    configured.some(({ attributes }) => attributes["token"] === token.value),
    "of the module's own provider",
  );
  assert.ok(configured.some(({ attributes }) => attributes["secret_key"] === secretKey.value));
  assert.ok(configured.some(({ attributes }) => attributes["region"] === "eu-west-1"));
  assert.ok(configured.every(({ environment: given }) => given.includes(`PRIVATE_VARIABLE=${variable.value}`)));
  assert.match(
    `${error.message}${log}`,
    /crash in update of aws_s3_bucket/u,
    "what the provider said when it crashed is kept",
  );
  assertNoFile(database.folder, all);
  assertNoText(seen, all);
});
