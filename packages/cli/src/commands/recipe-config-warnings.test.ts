/** What the control plane says of `recipeConfig` reaches everybody who works with the environment, on stderr. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createClient } from "@rad/client";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";

const environmentFile = `extension radius

resource settings 'Radius.Core/terraformSettings@2025-08-01-preview' = {
  name: 'corp'
  properties: {}
}

resource env 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'both'
  properties: {
    compute: { kind: 'kubernetes', namespace: 'both' }
    terraformSettings: settings.id
    recipeConfig: {
      env: { TF_REGISTRY_CLIENT_TIMEOUT: '15' }
      bicep: { authentication: { 'ghcr.io': { secret: settings.id } } }
    }
  }
}
`;
const ignored = "properties.recipeConfig.env is ignored. Use 'terraformSettings' of the environment.";
const deprecated =
  "properties.recipeConfig is deprecated; the environment uses recipeConfig.bicep.authentication. " +
  "Run 'rad terraform migrate' to move it to settings.";
const printed = `Warning: ${ignored}\nWarning: ${deprecated}\n`;

let server: TestControlPlane;
let sandbox: Sandbox;
before(async () => {
  server = await startControlPlane();
  sandbox = await createConnectedSandbox(server);
  await writeFile(join(sandbox.home, "env.bicep"), environmentFile);
});
after(async () => {
  await sandbox[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

test("rad deploy and rad env print the warnings about recipeConfig on stderr (S000-193, S000-194)", async () => {
  const deployed = await sandbox.rad(["deploy", "env.bicep"]);
  const shown = await sandbox.rad(["env", "show", "both", "-o", "json"]);
  const switched = await sandbox.rad(["env", "switch", "both"]);
  const updated = await sandbox.rad(["env", "update", "both", "--aws-account-id", "1", "--aws-region", "eu-west-1"]);

  assert.equal(deployed.code, 0, deployed.stderr);
  const target = "Applications.Core/environments/both";
  for (const text of [ignored, deprecated]) {
    assert.ok(deployed.stderr.includes(`Warning: ${target}: ${text}\n`), deployed.stderr);
  }
  assert.deepEqual([shown.code, shown.stderr], [0, printed]);
  assert.equal(JSON.parse(shown.stdout).name, "both");
  assert.deepEqual([switched.code, switched.stderr], [0, printed]);
  assert.deepEqual([updated.code, updated.stderr], [0, printed]);
});

test("the steps of the deployment have the warnings (S000-193)", async () => {
  const client = createClient({ endpoint: server.url, token: server.token });
  const [deployment] = JSON.parse((await sandbox.rad(["deployment", "list", "-o", "json"])).stdout);

  const operations = await client.deployments.operations(deployment.id);

  const warnings = operations.flatMap((operation) => operation.warnings);
  assert.deepEqual(warnings, [ignored, deprecated]);
});
