// What an upgrade finds: a database with resources of recipes in environments of both kinds, and no Terraform. Then clients
// that know nothing of settings and the installer.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@rad/core";
import { createRadHome } from "../kubernetes/rad-home.ts";
import type { RadHome } from "../kubernetes/rad-home.ts";
import { bucketId, createPlatform, deployBucket } from "../recipes/recipe-rig.ts";
import { request } from "../support/api.ts";
import { databases } from "../support/database.ts";
import type { TestDatabase } from "../support/database.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { accepted, settled } from "../terraform/installer-api.ts";
import { type LegacyRig, openLegacyRig, putLogin } from "./legacy-rig.ts";

const notInstalled = "Terraform is not installed. Run 'rad terraform install' to install Terraform.";

let legacy: LegacyRig;
let database: TestDatabase;
let server: ServerProcess;
let home: RadHome;
let environments: { readonly legacy: string; readonly core: string };
let version: string;
before(async () => {
  [legacy, database] = await Promise.all([openLegacyRig(), databases.sqlite()]);
  const { rig } = legacy;
  const { terraform } = rig.config(database.folder);
  await using former = await database.startServer({
    terraform: { ...terraform, installer: { ...terraform?.installer, drainSeconds: 0 } },
  });
  await rig.prepare(former);
  await putLogin(former);
  environments = {
    legacy: await legacy.putEnvironment(former, "older", { recipeConfig: legacy.recipeConfig }),
    core: await createPlatform(rig, former, { name: "core" }),
  };
  for (const [name, environment] of Object.entries(environments)) {
    await deployBucket(former, `bucket-${name}`, { environment });
  }
  version = String((await settled(former)).currentVersion);
  await accepted(former, "uninstall");
  await settled(former);
  await former.end("SIGTERM");
  // The new version keeps binaries elsewhere, and has none yet.
  server = await database.startServer(rig.config(path.join(database.folder, "upgraded")));
  const tokenFile = path.join(server.folder, "rad-token");
  await writeFile(tokenFile, server.token, { mode: 0o600 });
  home = await createRadHome({ server: { url: server.url, tokenFile }, group: "test" });
});
after(async () => {
  await home[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await legacy[Symbol.asyncDispose]();
});

const counts = (): readonly number[] =>
  (["create", "update", "delete"] as const).map((action) => legacy.rig.cloud.count(action));

it("after an upgrade recipes of both kinds fail with the text until Terraform is installed, and lose nothing (S000-199)", async () => {
  const { rig } = legacy;
  assert.deepEqual(counts(), [2, 0, 0]);

  for (const [name, environment] of Object.entries(environments)) {
    const failing = deployBucket(server, `bucket-${name}`, { environment });
    await assert.rejects(failing, (error: Error) => JSON.stringify(error).includes(notInstalled), name);
  }
  const preflight = await home.start("terraform", "validate", "-e", "core").ended;
  assert.deepEqual(counts(), [2, 0, 0]);

  await home.rad("terraform", "install", "--version", version, "--wait");
  const status = await home.rad("terraform", "status", "--exit-code");
  for (const [name, environment] of Object.entries(environments)) {
    await deployBucket(server, `bucket-${name}`, { environment });
    const { body } = await request(server, "GET", `/recipes/logs${bucketId(`bucket-${name}`)}`);
    assert.match(JSON.stringify(body), /0 added, 0 changed, 0 destroyed|No changes/u);
  }

  assert.equal(preflight.code, 1);
  assert.ok(preflight.stdout.includes(notInstalled), preflight.stdout);
  assert.match(status.stdout, new RegExp(`^Terraform ${version} ready`, "u"));
  assert.deepEqual(counts(), [2, 0, 0]);
  assert.equal(rig.cloud.objects().length, 2);
});

it("a preflight of an environment with recipeConfig passes, and its migration changes no resource (S000-190, S000-215)", async () => {
  const preflight = await home.start("terraform", "validate", "-e", "older").ended;
  await home.rad("terraform", "migrate", "-e", "older", "--outfile", "older.bicep");
  const deployed = await home.rad("deploy", "older.bicep");
  await deployBucket(server, "bucket-legacy", { environment: environments.legacy });
  const { body } = await request(server, "GET", `/recipes/logs${bucketId("bucket-legacy")}`);

  assert.equal(preflight.code, 0, preflight.stdout);
  assert.match(preflight.stdout, /^passed .* settings +recipeConfig$/mu);
  assert.match(deployed.stderr + deployed.stdout, /recipeConfig\.env is ignored/u);
  assert.match(JSON.stringify(body), /0 added, 0 changed, 0 destroyed|No changes/u);
  assert.deepEqual(counts(), [2, 0, 0]);
});

for (const base of ["/apis/api.ucp.dev/v1alpha3", ""]) {
  it(`an older CLI registers and deploys a legacy recipe ${base === "" ? "directly" : `through ${base}`} (S000-198)`, async () => {
    const name = base === "" ? "direct" : "aggregated";
    const group = `${base}/planes/radius/local/resourcegroups/test/providers`;
    const environment = `${group}/Applications.Core/environments/older?api-version=2023-10-01-preview`;
    const created = legacy.rig.cloud.count("create");

    // `rad recipe register`: reads the environment, and writes it back with another recipe.
    const read = await send("GET", environment);
    const { location, properties } = (await read.json()) as { location: string; properties: JsonObject };
    const { provisioningState: _, ...writable } = properties;
    const type = writable["recipes"] as JsonObject;
    const recipes = { ...type, "Applications.Core/extenders": type["Test.Stores/buckets"] };
    const registered = await send("PUT", environment, { location, properties: { ...writable, recipes } });
    assert.equal(registered.status, 200, await registered.clone().text());

    // `rad deploy`: its template, `providerconfig` in lower case and tags that are null.
    const scope = "/planes/radius/local/resourceGroups/test";
    const deployment = `${group}/Microsoft.Resources/deployments/rad-deploy-${randomUUID()}?api-version=2020-10-01`;
    const started = await send("PUT", deployment, {
      properties: {
        template: extenderTemplate(name),
        parameters: { environment: { value: environments.legacy } },
        mode: "Incremental",
        providerconfig: {
          radius: { type: "Radius", value: { scope } },
          deployments: { type: "Microsoft.Resources", value: { scope } },
        },
      },
      tags: null,
    });
    assert.equal(started.status, 201, await started.clone().text());
    const { status, error } = await pollAsyncOperation(started);

    assert.equal(status, "Succeeded", JSON.stringify(error));
    assert.equal(legacy.rig.cloud.count("create"), created + 1);
    assert.ok(legacy.rig.cloud.objects().some(({ id }) => id === name));
  });
}

function extenderTemplate(name: string): JsonObject {
  return {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    languageVersion: "2.1-experimental",
    contentVersion: "1.0.0.0",
    imports: { Radius: { provider: "Radius", version: "latest" } },
    parameters: { environment: { type: "string" } },
    resources: {
      extender: {
        import: "Radius",
        type: "Applications.Core/extenders@2023-10-01-preview",
        properties: {
          name,
          properties: { environment: "[parameters('environment')]", recipe: { name: "default" } },
        },
      },
    },
  };
}

/** As the pollers of generated clients do it: until the status is one of three words. */
async function pollAsyncOperation(response: Response): Promise<JsonObject> {
  const link = response.headers.get("azure-asyncoperation");
  assert.ok(link !== null, "no Azure-AsyncOperation");
  for (;;) {
    const operation = (await (await send("GET", link)).json()) as JsonObject;
    if (["succeeded", "failed", "canceled"].includes(String(operation["status"]).toLowerCase())) {
      return operation;
    }
    await sleep(100);
  }
}

function send(method: string, url: string, body?: unknown): Promise<Response> {
  return fetch(new URL(url, server.url), {
    method,
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
