/** Tokens of Git hosts: a control plane whose settings have a place for them takes them; an older one is not relied on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@rad/client";
import { objectMember } from "@rad/core/json";
import { builtInTypes } from "@rad/radius-types";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";

const scope = "/planes/radius/local/resourceGroups/dev/providers";

test("tokens of Git hosts move with the same shape, or the environment stays as it is (S000-197, S000-215)", async () => {
  const settingsType = builtInTypes.find(({ name }) => name === "Radius.Core/terraformSettings");
  const isKnown = JSON.stringify(settingsType?.versions).includes('"pat"');
  await using server = await startControlPlane();
  await using sandbox = await createConnectedSandbox(server);
  const client = createClient({ endpoint: server.url, token: server.token });
  const store = `${scope}/Applications.Core/secretStores/git`;
  const apiVersion = "2023-10-01-preview";
  await client.resources.put(
    store,
    {
      location: "global",
      properties: { type: "generic", data: { pat: { value: "canary-pat" }, username: { value: "x" } } },
    },
    { apiVersion },
  );
  const environment = `${scope}/Applications.Core/environments/git`;
  const pat = { "git.example": { secret: store } };
  const recipeConfig = { terraform: { authentication: { git: { pat } } } };
  await client.resources.put(
    environment,
    { location: "global", properties: { compute: { kind: "kubernetes", namespace: "git" }, recipeConfig } },
    { apiVersion },
  );

  const applied = await sandbox.rad(["terraform", "migrate", "-e", "git", "--apply"]);
  const { terraformSettings } = objectMember(await client.resources.get(environment, { apiVersion }), "properties");

  assert.ok(!(applied.stdout + applied.stderr).includes("canary-pat"));
  if (isKnown) {
    assert.equal(applied.code, 0, applied.stderr);
    const settings = await client.resources.get(String(terraformSettings), { apiVersion: "2025-08-01-preview" });
    assert.deepEqual(objectMember(settings, "properties")["authentication"], { git: { pat } });
  } else {
    assert.equal(applied.code, 1);
    assert.match(applied.stderr, /Code: {2}SettingsNotStored/u);
    assert.equal(terraformSettings, undefined);
  }
});
