/** `rad terraform migrate` against a control plane: what it writes compiles and deploys, and repeating it changes nothing. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createClient } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { objectMember } from "@rad/core/json";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";

const scope = "/planes/radius/local/resourceGroups/dev/providers";
const legacyVersion = "2023-10-01-preview";
const coreVersion = "2025-08-01-preview";
const login = `${scope}/Applications.Core/secretStores/login`;

let server: TestControlPlane;
let sandbox: Sandbox;
before(async () => {
  server = await startControlPlane();
  sandbox = await createConnectedSandbox(server);
  await put(
    "Applications.Core/secretStores/login",
    { type: "basicAuthentication", data: { username: { value: "u" }, password: { value: "canary-password" } } },
    legacyVersion,
  );
});
after(async () => {
  await sandbox[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const client = () => createClient({ endpoint: server.url, token: server.token });
const put = (place: string, properties: JsonObject, apiVersion = coreVersion) =>
  client().resources.put(`${scope}/${place}`, { location: "global", properties }, { apiVersion });
const show = async (place: string, apiVersion = coreVersion): Promise<JsonObject> => {
  const shown = await client().resources.get(`${scope}/${place}`, { apiVersion });
  // The group's spelling is that of its first write.
  const spelled = JSON.parse(JSON.stringify(shown).replaceAll("/resourcegroups/", "/resourceGroups/")) as JsonObject;
  const { provisioningState: _, ...properties } = objectMember(spelled, "properties");
  return properties;
};
const migrate = (...args: readonly string[]) => sandbox.rad(["terraform", "migrate", ...args]);

const recipeConfig = {
  env: { TF_REGISTRY_CLIENT_TIMEOUT: "15", TF_LOG: "WARN", ODD: "it's ${not} an\nexpression \\" },
  bicep: { authentication: { "ghcr.io": { secret: login } } },
};
const movedTerraform = {
  env: { TF_REGISTRY_CLIENT_TIMEOUT: "15", ODD: recipeConfig.env.ODD },
  logging: { level: "WARN" },
};
const movedBicep = {
  registryAuthentications: { "ghcr.io": { authenticationMethod: "BasicAuth", basicAuthSecretId: login } },
};
const recipes = {
  "Applications.Datastores/redisCaches": {
    default: {
      templateKind: "terraform",
      templatePath: "registry.example/acme/redis/aws",
      templateVersion: "1.0.0",
      parameters: { size: 1, ratio: 0.5, tags: ["a", "b-c"] },
    },
  },
};
const legacy = (name: string, more: JsonObject = { recipeConfig }) => {
  const compute = { kind: "kubernetes", resourceId: "self", namespace: name };
  return put(`Applications.Core/environments/${name}`, { compute, recipes, ...more }, legacyVersion);
};
const environment = (name: string) => show(`Applications.Core/environments/${name}`, legacyVersion);
const settingsOf = async (name: string) => {
  const [terraform, bicep] = await Promise.all([
    show(`Radius.Core/terraformSettings/${name}`),
    show(`Radius.Core/bicepSettings/${name}`),
  ]);
  return [terraform, bicep].map(({ referencedBy: _referencedBy, ...rest }) => rest);
};

test("the Bicep file compiles and deploys, changes nothing else, and makes a second run superfluous (S000-215)", async () => {
  await legacy("written");
  const before = await environment("written");

  const printed = await migrate("--environment", "written");
  const written = await migrate("--environment", "written", "--outfile", "written.bicep");
  const text = await readFile(join(sandbox.home, "written.bicep"), "utf8");
  const built = await sandbox.rad(["bicep", "build", "written.bicep", "--stdout"]);
  const deployed = await sandbox.rad(["deploy", "written.bicep"]);
  const again = await migrate("--environment", "written", "--apply");

  assert.equal(printed.code, 0, printed.stderr);
  assert.equal(printed.stdout, text);
  assert.deepEqual([written.code, written.stdout], [0, "written.bicep written\n"]);
  assert.deepEqual([built.code, built.stderr], [0, ""], "without a warning");
  assert.equal(deployed.code, 0, deployed.stderr);
  assert.deepEqual(await settingsOf("written"), [movedTerraform, movedBicep]);
  assert.deepEqual(await environment("written"), {
    ...before,
    terraformSettings: `${scope}/Radius.Core/terraformSettings/written`,
    bicepSettings: `${scope}/Radius.Core/bicepSettings/written`,
  });
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /environments\/written uses settings already; its recipeConfig has no effect/u);
});

test("--what-if changes nothing, --apply does it, and a second run changes nothing (S000-215)", async () => {
  await legacy("applied");
  const before = await client().resources.getWithEtag(`${scope}/Applications.Core/environments/applied`, {
    apiVersion: legacyVersion,
  });

  const shown = await migrate("-e", "applied", "--what-if");
  const unchanged = await client().resources.getWithEtag(before.resource.id, { apiVersion: legacyVersion });
  const applied = await migrate("-e", before.resource.id, "--apply", "-o", "json");
  const after = await client().resources.getWithEtag(before.resource.id, { apiVersion: legacyVersion });
  const again = await migrate("-e", "applied", "--apply", "-o", "json");
  const last = await client().resources.getWithEtag(before.resource.id, { apiVersion: legacyVersion });

  assert.deepEqual(shown.stdout.split("\n"), [
    "+ Radius.Core/terraformSettings/applied",
    "+ Radius.Core/bicepSettings/applied",
    `~ Applications.Core/environments/applied: terraformSettings = ${scope}/Radius.Core/terraformSettings/applied`,
    `~ Applications.Core/environments/applied: bicepSettings = ${scope}/Radius.Core/bicepSettings/applied`,
    "",
  ]);
  assert.equal(unchanged.etag, before.etag);
  assert.equal(applied.code, 0, applied.stderr);
  const { settings, notMoved, migrated } = JSON.parse(applied.stdout);
  assert.deepEqual([migrated, notMoved, settings.length], [true, [], 2]);
  assert.match(applied.stderr, /Warning: properties\.recipeConfig\.env is ignored/u);
  assert.deepEqual(await settingsOf("applied"), [movedTerraform, movedBicep]);
  assert.notEqual(after.etag, before.etag);
  assert.equal(JSON.parse(again.stdout).migrated, false);
  assert.equal(last.etag, after.etag);
});

test("environments that say the same share settings, and others of that name are left alone (S000-215)", async () => {
  await legacy("first");
  await legacy("second");
  await legacy("third", { recipeConfig: { env: { A: "other" } } });

  const codes = [];
  for (const name of ["first", "second"]) {
    codes.push((await migrate("-e", name, "--apply", "--settings-name", "corp")).code);
  }
  const refused = await migrate("-e", "third", "--apply", "--settings-name", "corp");

  assert.deepEqual(codes, [0, 0]);
  const { referencedBy } = await show("Radius.Core/terraformSettings/corp");
  assert.deepEqual(
    referencedBy,
    ["first", "second"].map((name) => `${scope}/Applications.Core/environments/${name}`),
  );
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /terraformSettings 'corp' exist .*Code: {2}SettingsDiffer/su);
  assert.deepEqual(await settingsOf("corp"), [movedTerraform, movedBicep]);
  assert.equal((await environment("third"))["terraformSettings"], undefined);
});

test("what has no place in settings is listed and keeps --apply from going on, unless it is forced (S000-215)", async () => {
  const source = { source: login, key: "password" };
  const left = {
    terraform: { providers: { aws: [{ region: "eu-west-1", secrets: { secret_key: source } }] } },
    env: { A: "1" },
    envSecrets: { TOKEN: source },
  };
  await legacy("left", { recipeConfig: left });

  const file = await migrate("-e", "left", "-o", "json");
  const printed = await migrate("-e", "left");
  const refused = await migrate("-e", "left", "--apply");
  const untouched = await environment("left");
  const forced = await migrate("-e", "left", "--apply", "--force");

  const paths = ["recipeConfig.terraform.providers.aws", "recipeConfig.envSecrets.TOKEN"];
  assert.deepEqual(
    JSON.parse(file.stdout).notMoved.map(({ path }: { path: string }) => path),
    paths,
  );
  for (const path of paths) {
    assert.ok(printed.stdout.includes(`// NOT MOVED: ${path}. `), printed.stdout);
    assert.ok(printed.stderr.includes(`Warning: ${path} is not moved. `), printed.stderr);
    assert.ok(refused.stderr.includes(`Warning: ${path} is not moved. `), refused.stderr);
  }
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /Nothing was changed\..*Code: {2}NotMovable/su);
  assert.equal(untouched["terraformSettings"], undefined);
  assert.equal(forced.code, 0, forced.stderr);
  assert.deepEqual((await environment("left"))["recipeConfig"], left, "recipeConfig is not dropped");
});

/** Deploys an environment with a secure parameter `key`, in a recipe's parameters or where `recipeConfig` says so. */
async function deploySealed(name: string, parameters: string, recipeConfig: string): Promise<void> {
  const file = `extension radius
@secure()
param key string
resource env 'Applications.Core/environments@2023-10-01-preview' = {
  name: '${name}'
  properties: {
    compute: { kind: 'kubernetes', namespace: '${name}' }
    recipes: {
      'Applications.Datastores/redisCaches': {
        default: { templateKind: 'terraform', templatePath: 'registry.example/acme/redis/aws', parameters: ${parameters} }
      }
    }
    recipeConfig: ${recipeConfig}
  }
}
`;
  await writeFile(join(sandbox.home, `${name}.bicep`), file);
  const deployed = await sandbox.rad(["deploy", `${name}.bicep`, "-p", "key=canary-key"]);
  assert.equal(deployed.code, 0, deployed.stderr);
}

test("--apply keeps sealed values of recipes", async () => {
  await deploySealed("sealed", "{ key: key }", "{ env: { A: '1' } }");

  const applied = await migrate("-e", "sealed", "--apply");

  assert.equal(applied.code, 0, applied.stderr);
  assert.equal((await environment("sealed"))["terraformSettings"], `${scope}/Radius.Core/terraformSettings/sealed`);
  const unchanged = await sandbox.rad(["deploy", "sealed.bicep", "-p", "key=canary-key", "--what-if"]);
  const changed = await sandbox.rad(["deploy", "sealed.bicep", "-p", "key=another-key", "--what-if"]);
  assert.doesNotMatch(unchanged.stdout, /parameters/u);
  assert.match(changed.stdout, /parameters/u);
});

test("sealed values of recipeConfig are parameters of the Bicep file, and --apply does not lose them", async () => {
  await deploySealed("hidden", "{}", "{ env: { TOKEN: key } }");

  const refused = await migrate("-e", "hidden", "--apply");
  const written = await migrate("-e", "hidden", "--outfile", "moved.bicep");
  const text = await readFile(join(sandbox.home, "moved.bicep"), "utf8");
  const names = [...text.matchAll(/^@secure\(\)\nparam (\w+) string$/gmu)].map(([, name]) => name);
  const moved = await sandbox.rad(["deploy", "moved.bicep", ...names.flatMap((name) => ["-p", `${name}=canary-key`])]);

  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /Nothing was changed\..*Code: {2}HiddenValues/su);
  assert.equal(written.code, 0, written.stderr);
  assert.ok(names.length > 0 && names.every((name) => name?.endsWith("TOKEN")), text);
  assert.ok(!text.includes("canary-key"));
  assert.equal(moved.code, 0, moved.stderr);
  assert.equal((await environment("hidden"))["terraformSettings"], `${scope}/Radius.Core/terraformSettings/hidden`);
});

for (const written of [["terraformSettings"], ["terraformSettings", "bicepSettings"]]) {
  test(`a run that was killed after ${written.length} of its writes is completed by the next one (S000-215)`, async () => {
    const name = `killed-${written.length}`;
    await legacy(name);
    for (const kind of written) {
      await put(`Radius.Core/${kind}/${name}`, kind === "terraformSettings" ? movedTerraform : movedBicep);
    }

    const applied = await migrate("-e", name, "--apply");

    assert.equal(applied.code, 0, applied.stderr);
    const { terraformSettings, bicepSettings } = await environment(name);
    assert.deepEqual(
      [terraformSettings, bicepSettings],
      ["terraformSettings", "bicepSettings"].map((kind) => `${scope}/Radius.Core/${kind}/${name}`),
    );
  });
}

test("an environment of Radius.Core moves the same way, and one without recipeConfig has nothing to move", async () => {
  await put("Radius.Core/environments/core", { recipeConfig: { env: { A: "1" } } });
  await put("Radius.Core/environments/none", {});

  const applied = await migrate("-e", "core", "--preview", "--apply");
  const none = await migrate("-e", "none");

  assert.equal(applied.code, 0, applied.stderr);
  const { terraformSettings } = await show("Radius.Core/environments/core");
  assert.equal(terraformSettings, `${scope}/Radius.Core/terraformSettings/core`);
  assert.deepEqual(
    [none.code, none.stdout],
    [0, "Radius.Core/environments/none has no recipeConfig; there is nothing to migrate\n"],
  );
});

for (const [name, args, code, text] of [
  ["two places", ["-e", "applied", "--apply", "--what-if"], "InvalidUsage", /exclude one another/u],
  ["--force alone", ["-e", "applied", "--force"], "InvalidUsage", /goes with `--apply`/u],
  ["an environment that is not there", ["-e", "missing"], "EnvironmentNotFound", /rad env list/u],
  ["an impossible name", ["-e", "third", "--settings-name", "a/b"], "InvalidResourceName", /a\/b/u],
] as const) {
  test(`${name} is refused with ${code}`, async () => {
    const refused = await migrate(...args);

    assert.equal(refused.code, 1);
    assert.match(refused.stderr, text);
    assert.match(refused.stderr, new RegExp(`Code: {2}${code}`, "u"));
  });
}
