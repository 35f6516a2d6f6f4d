// The preflight of an environment with real Terraform, mirrors and registries: each check is broken once, and only its
// line fails. Nothing is changed by it.
import assert from "node:assert/strict";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, it } from "node:test";
import { createCa } from "@rad/artifacts/testing";
import type { JsonObject } from "@rad/core";
import { findInFiles } from "@rad/control-plane/testing";
import { createRadHome } from "../kubernetes/rad-home.ts";
import type { RadHome } from "../kubernetes/rad-home.ts";
import {
  coreVersion,
  mirrorToken,
  openRecipeRig,
  put,
  putSecret,
  type RecipeRig,
  registryToken,
} from "../recipes/recipe-rig.ts";
import { auditLines, clientOf, group, request } from "../support/api.ts";
import { databases } from "../support/database.ts";
import type { TestDatabase } from "../support/database.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { type BasicRegistry, startBasicRegistry } from "./basic-registry.ts";

interface Check {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly durationMs: number;
}

const environment = `${group}/providers/Radius.Core/environments/checked`;
const canaries = ["canary-git-pat", "canary-registry-password", mirrorToken, registryToken];

let rig: RecipeRig;
let database: TestDatabase;
let server: ServerProcess;
let home: RadHome;
let registry: BasicRegistry;
let tokens: string;
let git: string;
let login: string;
before(async () => {
  [rig, database] = await Promise.all([openRecipeRig(), databases.sqlite()]);
  server = await database.startServer(rig.config(database.folder));
  registry = await startBasicRegistry(rig.ca, "robot", "canary-registry-password");
  await rig.prepare(server);
  tokens = await putSecret(server, "tokens", { mirror: mirrorToken, registry: registryToken });
  git = await putSecret(server, "git", { pat: "canary-git-pat", username: "x" });
  login = await putSecret(server, "login", { username: "robot", password: "canary-registry-password" });
  const tokenFile = path.join(server.folder, "rad-token");
  await writeFile(tokenFile, server.token, { mode: 0o600 });
  home = await createRadHome({ server: { url: server.url, tokenFile }, group: "test" });
  await createEnvironment();
});
after(async () => {
  await home[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

interface Variation {
  readonly terraform?: JsonObject;
  readonly recipes?: JsonObject;
  readonly environment?: JsonObject;
}

/** Two recipes from the registry, settings with every kind of host and reference, and a backend of its own. */
async function createEnvironment({ terraform = {}, recipes = {}, environment: more = {} }: Variation = {}) {
  const terraformSettings = await put(server, "Radius.Core/terraformSettings/checked", {
    terraformrc: {
      providerInstallation: { networkMirror: { url: rig.mirror.url } },
      credentials: {
        [rig.mirror.host]: { token: { secretId: tokens, key: "mirror" } },
        [rig.registry.host]: { token: { secretId: tokens, key: "registry" } },
      },
    },
    env: { SSL_CERT_FILE: rig.caFile },
    backend: { type: "http", config: { address: `${rig.registry.url}/open/states` } },
    ...terraform,
  });
  const bicepSettings = await put(server, "Radius.Core/bicepSettings/checked", {
    registryAuthentications: { [registry.host]: { authenticationMethod: "BasicAuth", basicAuthSecretId: login } },
  });
  const source = `${rig.registry.host}/acme/bucket/aws:1.0.0`;
  const pack = await put(server, "Radius.Core/recipePacks/checked", {
    recipes: {
      "Test.Stores/buckets": { kind: "terraform", source },
      "Test.Stores/others": { kind: "terraform", source: rig.registry.publishArchive("other", { "main.tf": "" }) },
      ...recipes,
    },
  });
  await put(server, "Radius.Core/environments/checked", {
    recipePacks: [pack],
    terraformSettings,
    bicepSettings,
    recipeParameters: { "Test.Stores/others": { token: { secretId: git, key: "pat" } } },
    ...more,
  });
}

async function validate(): Promise<{ valid: boolean; checks: readonly Check[] }> {
  const { status, body } = await request(server, "POST", "/installer/terraform/validate", {
    environmentId: environment,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as { valid: boolean; checks: readonly Check[] };
}

const failedOf = (checks: readonly Check[]): readonly Check[] => checks.filter(({ status }) => status === "failed");

it("every check of an environment that works has a line and passes (S000-214)", async () => {
  const { valid, checks } = await validate();

  assert.deepEqual(failedOf(checks), []);
  assert.equal(valid, true);
  assert.deepEqual(
    checks.map(({ name }) => name).toSorted(),
    [
      "terraform",
      "settings",
      `secret ${tokens} mirror`,
      `secret ${tokens} registry`,
      `secret ${login} username`,
      `secret ${login} password`,
      `secret ${git} pat`,
      "backend http",
      `mirror ${rig.mirror.host}`,
      `registry ${rig.registry.host}`,
      `bicep registry ${registry.host}`,
      "recipe Test.Stores/buckets/default",
      "recipe Test.Stores/others/default",
    ].toSorted(),
  );
  assert.ok(checks.every(({ status, durationMs }) => status === "passed" && durationMs >= 0));
});

it("rad terraform validate prints a line for each check, exits with 1 when one fails, and changes nothing (S000-214)", async () => {
  const before = (await clientOf(server).resources.getWithEtag(environment, { apiVersion: coreVersion })).etag;
  const passing = await home.start("terraform", "validate", "-e", "checked").ended;
  using _fault = rig.mirror.fault(/providers/u, { kind: "status", status: 503 });
  const failing = await home.start("terraform", "validate", "--environment", environment).ended;
  const json = await home.start("terraform", "validate", "-e", "checked", "-o", "json").ended;

  assert.equal(passing.code, 0, passing.stdout + passing.stderr);
  assert.match(passing.stdout, /^passed +\d+ ms +backend http +It answers, and lets us read\.$/mu);
  assert.equal(passing.stdout.trim().split("\n").length, 14, passing.stdout);
  assert.equal(failing.code, 1);
  assert.match(failing.stdout, new RegExp(`^failed +\\d+ ms +mirror ${rig.mirror.host} +.*503`, "mu"));
  assert.match(failing.stderr, /1 of 13 checks have failed for Radius\.Core\/environments\/checked\./u);
  assert.equal(json.code, 1);
  assert.equal((JSON.parse(json.stdout) as JsonObject)["valid"], false);
  const after = (await clientOf(server).resources.getWithEtag(environment, { apiVersion: coreVersion })).etag;
  assert.equal(after, before);
  assert.deepEqual(rig.cloud.requests, []);
  const writes = rig.registry.requests.filter(({ method }) => !["GET", "HEAD"].includes(method));
  assert.deepEqual(writes, [], "no lock was taken and no state written");
});

/** What breaks one thing, and the line that says so. Everything is put right afterwards. */
const breakages: readonly {
  readonly what: string;
  readonly line: () => string;
  readonly says: RegExp;
  readonly breakIt: () => Promise<(() => Promise<void>) | void>;
}[] = [
  {
    what: "a key of a secret",
    line: () => `secret ${tokens} mirror`,
    says: /no key 'mirror'/u,
    breakIt: async () => {
      await putSecret(server, "tokens", { registry: registryToken });
      return async () => void (await putSecret(server, "tokens", { mirror: mirrorToken, registry: registryToken }));
    },
  },
  {
    what: "a token of a Git host",
    line: () => `secret ${git} pat`,
    says: /no key 'pat'/u,
    breakIt: async () => {
      await putSecret(server, "git", { username: "x" });
      return async () => void (await putSecret(server, "git", { pat: "canary-git-pat", username: "x" }));
    },
  },
  {
    what: "the address of the backend",
    line: () => "backend http",
    says: /requires auth/u,
    breakIt: () =>
      createEnvironment({
        terraform: { backend: { type: "http", config: { address: `${rig.registry.url}/closed/states` } } },
      }),
  },
  {
    what: "a backend at an address that nobody may ask",
    line: () => "backend http",
    says: /169\.254\.169\.254.*may not be connected to/u,
    breakIt: () =>
      createEnvironment({
        terraform: { backend: { type: "http", config: { address: "https://169.254.169.254/states" } } },
      }),
  },
  {
    what: "the authorities",
    line: () => "settings",
    says: /SSL_CERT_FILE names .*ENOENT/u,
    breakIt: () => createEnvironment({ terraform: { env: { SSL_CERT_FILE: "/nowhere/ca.pem" } } }),
  },
  {
    what: "the token of the mirror",
    line: () => `mirror ${rig.mirror.host}`,
    says: /401: the credentials of the settings/u,
    breakIt: async () => {
      rig.mirror.setToken("another");
      return async () => rig.mirror.setToken(mirrorToken);
    },
  },
  {
    what: "the token of the registry",
    line: () => `registry ${rig.registry.host}`,
    says: /401: the credentials of the settings/u,
    breakIt: async () => {
      rig.registry.setToken("another");
      return async () => rig.registry.setToken(registryToken);
    },
  },
  {
    what: "the login of a Bicep registry",
    line: () => `bicep registry ${registry.host}`,
    says: /401: the credentials of the settings/u,
    breakIt: async () => {
      await putSecret(server, "login", { username: "robot", password: "wrong" });
      return async () =>
        void (await putSecret(server, "login", { username: "robot", password: "canary-registry-password" }));
    },
  },
  {
    what: "the version of a module",
    line: () => "recipe Test.Stores/missing/default",
    says: /no available version|9\.9\.9/u,
    breakIt: () =>
      createEnvironment({
        recipes: {
          "Test.Stores/missing": { kind: "terraform", source: `${rig.registry.host}/acme/bucket/aws:9.9.9` },
        },
      }),
  },
  {
    what: "the settings of the environment",
    line: () => "settings",
    says: /terraformSettings must be set on the environment/u,
    breakIt: () => createEnvironment({ environment: { terraformSettings: "" } }),
  },
];

for (const { what, line, says, breakIt } of breakages) {
  it(`a preflight with ${what} broken fails in that line alone (S000-214)`, async () => {
    const repair = await breakIt();
    try {
      const { valid, checks } = await validate();

      assert.equal(valid, false, JSON.stringify(checks));
      const failed = failedOf(checks);
      assert.deepEqual(
        failed.map(({ name }) => name),
        [line()],
        JSON.stringify(checks, undefined, 1),
      );
      assert.match(failed[0]?.message ?? "", says);
      const text = JSON.stringify(checks);
      assert.ok(!canaries.some((canary) => text.includes(canary)));
    } finally {
      await repair?.();
      await createEnvironment();
    }
  });
}

it("an authority that signed no certificate of the hosts fails their lines, and what needs them is skipped", async () => {
  const other = path.join(server.folder, "other-ca.pem");
  await writeFile(other, createCa("another authority").cert);
  await createEnvironment({ terraform: { env: { SSL_CERT_FILE: other } } });

  const { checks } = await validate();

  await createEnvironment();
  assert.deepEqual(
    failedOf(checks).map(({ name }) => name),
    [
      "backend http",
      `mirror ${rig.mirror.host}`,
      `registry ${rig.registry.host}`,
      `bicep registry ${registry.host}`,
      "recipe Test.Stores/others/default",
    ].filter((name) => name !== "backend http" || failedOf(checks).some((check) => check.name === name)),
  );
  const skipped = checks.filter(({ status }) => status === "skipped").map(({ name, message }) => `${name}: ${message}`);
  assert.deepEqual(skipped, [`recipe Test.Stores/buckets/default: Needs 'registry ${rig.registry.host}'.`]);
});

it("without Terraform only that line fails, and what needs it is skipped; permission and audit are those of the installer (S000-214)", async () => {
  const volume = path.join(database.folder, "volume");
  await rename(volume, `${volume}-away`);
  await mkdir(volume);
  const { checks } = await validate();
  await rename(volume, `${volume}-empty`);
  await rename(`${volume}-away`, volume);

  assert.deepEqual(
    failedOf(checks).map(({ name }) => name),
    ["terraform"],
  );
  const needing = checks.filter(({ message }) => message === "Needs 'terraform'.").map(({ name }) => name);
  assert.deepEqual(needing, [
    "backend http",
    "recipe Test.Stores/buckets/default",
    "recipe Test.Stores/others/default",
  ]);

  const byReader = await request({ url: server.url, token: database.readerToken }, "POST", validatePath, {
    environmentId: environment,
  });
  const anonymous = await fetch(`${server.url}${validatePath}`, { method: "POST", body: "{}" });
  const aggregated = await request(server, "POST", `/apis/api.ucp.dev/v1alpha3${validatePath}`, {
    environmentId: environment,
  });
  const missing = await request(server, "POST", validatePath, { environmentId: `${environment}-missing` });
  const bad = await request(server, "POST", validatePath, { environmentId: group });
  const unknown = await request(server, "POST", validatePath, { environmentId: environment, deep: true });
  assert.deepEqual(
    [byReader.status, anonymous.status, aggregated.status, missing.status, bad.status, unknown.status],
    [200, 401, 200, 404, 400, 400],
  );
  const audited = (await auditLines(server)).filter(({ action }) => action === "Radius.Core/installer/validate/action");
  assert.ok(audited.length > 2);
  const recorded = new Set(audited.map(({ target, result }) => `${target} ${result}`.toLowerCase()));
  assert.deepEqual(recorded, new Set([`${environment} Succeeded`.toLowerCase()]));
  for (const canary of canaries) {
    assert.deepEqual(await findInFiles(server.folder, canary), [], canary);
  }
  assert.ok(!canaries.some((canary) => server.output.includes(canary)));
});

const validatePath = "/installer/terraform/validate";
