import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { local, startTestServer, systemVersion } from "../../testing/test-server.ts";

const template = {
  $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  languageVersion: "2.0",
  contentVersion: "1.0.0.0",
  imports: { Radius: { provider: "Radius", version: "latest" } },
  parameters: { pat: { type: "securestring" } },
  resources: {
    github: {
      import: "Radius",
      type: "Applications.Core/secretStores@2023-10-01-preview",
      properties: {
        name: "github",
        properties: {
          type: "generic",
          data: { pat: { value: "[parameters('pat')]" }, username: { value: "x-access-token" } },
        },
      },
    },
  },
};

it("a template with a global secret store is deployed as it is written", async () => {
  const manifests = await mkdtemp(join(tmpdir(), "radius-manifests-"));
  await using server = await startTestServer({ overrides: { kubernetes: { manifests } } });
  const group = `${local}/resourcegroups/git`;
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });

  const accepted = await server.call(
    "PUT",
    `${group}/providers/Microsoft.Resources/deployments/store?api-version=2020-10-01`,
    {
      body: {
        properties: {
          mode: "Incremental",
          template,
          parameters: { pat: { value: "canary-token" } },
          providerConfig: { radius: { type: "Radius", value: { scope: group } } },
        },
      },
    },
  );
  const ended = await server.settle(accepted);

  assert.equal(ended["status"], "Succeeded", JSON.stringify(ended));
  const path = `${group}/providers/Applications.Core/secretStores/github`;
  const listed = await server.call("POST", `${path}/listSecrets?${systemVersion}`, { body: {} });
  assert.deepEqual(listed.body["data"], {
    pat: { encoding: "raw", value: "canary-token" },
    username: { encoding: "raw", value: "x-access-token" },
  });
  const manifest = await readFile(join(manifests, "radius-system", "secret-github.yaml"), "utf8");
  assert.match(manifest, /pat: ""/);
  assert.doesNotMatch(manifest, /canary/);
  await rm(manifests, { recursive: true });
});

it("a store from before there were Secrets gets one at the next PUT, without its values being sent again", async () => {
  const directory = await mkdtemp(join(tmpdir(), "radius-test-"));
  const group = `${local}/resourcegroups/git`;
  const path = `${group}/providers/Applications.Core/secretStores/github`;
  {
    await using before = await startTestServer({ directory, recordsOnly: true });
    await before.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
    const body = { properties: { data: { pat: { value: "canary-token" } } } };
    assert.equal((await before.call("PUT", `${path}?${systemVersion}`, { body })).status, 200);
  }

  await using now = await startTestServer({ directory });
  const list = async (): Promise<unknown> =>
    (await now.call("POST", `${path}/listSecrets?${systemVersion}`, { body: {} })).body["data"];
  const listed = await list();
  const { body } = await now.call("GET", `${path}?${systemVersion}`);
  const sent = await now.call("PUT", `${path}?${systemVersion}`, { body });

  assert.equal(sent.status, 200, sent.text);
  assert.deepEqual(listed, { pat: { encoding: "raw", value: "canary-token" } });
  assert.deepEqual(await list(), listed);
  assert.match(await readFile(join(directory, "manifests", "radius-system", "secret-github.yaml"), "utf8"), /pat: ""/);
  await rm(directory, { recursive: true, force: true });
});
