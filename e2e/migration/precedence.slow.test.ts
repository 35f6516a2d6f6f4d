// Which of recipeConfig and settings reaches Terraform and its provider, where they contradict each other.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { bucketId, put } from "../recipes/recipe-rig.ts";
import { group, operationEnd, request } from "../support/api.ts";
import { databases } from "../support/database.ts";
import type { TestDatabase } from "../support/database.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { type LegacyRig, legacyVersion, openLegacyRig } from "./legacy-rig.ts";

let legacy: LegacyRig;
let database: TestDatabase;
let server: ServerProcess;
before(async () => {
  [legacy, database] = await Promise.all([openLegacyRig(), databases.sqlite()]);
  server = await database.startServer(legacy.rig.config(database.folder));
  await legacy.rig.prepare(server);
  await put(
    server,
    "Applications.Core/secretStores/store",
    { type: "generic", data: { value: { value: "canary-of-env-secrets" } } },
    legacyVersion,
  );
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await legacy[Symbol.asyncDispose]();
});

const source = `${group}/providers/Applications.Core/secretStores/store`;

it("recipeConfig works as before without settings; with Terraform settings nothing of it is left (S000-190, S000-191, S000-192)", async () => {
  const { rig } = legacy;
  const recipeConfig: JsonObject = {
    env: { SSL_CERT_FILE: rig.caFile, WHO: "recipeConfig", ONLY_LEGACY: "1" },
    envSecrets: { FROM_STORE: { source, key: "value" } },
    terraform: { providers: { aws: [{ region: "region-of-recipe-config" }] } },
  };
  const alone = await legacy.putEnvironment(server, "alone", { recipeConfig });
  const terraformSettings = await put(server, "Radius.Core/terraformSettings/both", {
    env: { SSL_CERT_FILE: rig.caFile, WHO: "settings" },
  });
  const both = await legacy.putEnvironment(server, "both", { recipeConfig, terraformSettings });

  const asBefore = await deploy("alone", alone);
  const bySettings = await deploy("both", both);

  assert.equal(asBefore.attributes["region"], "region-of-recipe-config");
  assert.deepEqual(asBefore.environment, ["FROM_STORE=canary-of-env-secrets", "ONLY_LEGACY=1", "WHO=recipeConfig"]);
  assert.notEqual(bySettings.attributes["region"], "region-of-recipe-config");
  assert.deepEqual(bySettings.environment, ["WHO=settings"]);
  assert.deepEqual(asBefore.warnings, []);
  const ignored = "recipeConfig.terraform.providers, recipeConfig.env, recipeConfig.envSecrets";
  assert.deepEqual(bySettings.warnings, [`Warning: ignored in the environment: ${ignored}`]);
  assert.match(server.output, /members of recipeConfig are ignored/u);
  assert.ok(!server.output.includes("canary-of-env-secrets"));
});

it("Bicep settings alone leave Terraform's part of recipeConfig in use (S000-191)", async () => {
  const { rig } = legacy;
  const bicepSettings = await put(server, "Radius.Core/bicepSettings/bicep", {});
  const environment = await legacy.putEnvironment(server, "bicep", {
    bicepSettings,
    recipeConfig: { env: { SSL_CERT_FILE: rig.caFile, WHO: "recipeConfig" } },
  });

  const { environment: variables, warnings } = await deploy("bicep", environment);

  assert.deepEqual(variables, ["WHO=recipeConfig"]);
  assert.deepEqual(warnings, []);
});

/** Runs the recipe. @returns what its provider was configured with, and warnings among the steps of the operation */
async function deploy(name: string, environment: string) {
  const { requests } = legacy.rig.cloud;
  const before = requests.length;
  const { operationId = "" } = await request(server, "PUT", bucketId(name), {
    location: "global",
    properties: { environment },
  });
  const operation = await operationEnd(server, "Test.Stores", operationId);
  assert.equal(operation.status, "Succeeded", JSON.stringify(operation));
  const configured = requests.slice(before).find(({ action }) => action === "configure");
  assert.ok(configured !== undefined);
  return {
    attributes: configured.attributes,
    environment: configured.environment.filter((line) => /^(?:WHO|ONLY_LEGACY|FROM_STORE)=/u.test(line)).toSorted(),
    warnings: [...JSON.stringify(operation).matchAll(/"(Warning: [^"]*)"/gu)].map(([, text]) => text),
  };
}
