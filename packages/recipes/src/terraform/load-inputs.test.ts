import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, type JsonObject, ResourceId, silentLogger } from "@rad/core";
import type { TerraformInput } from "../configuration/environment-configuration.ts";
import type { DriverWork } from "../driver.ts";
import { acquireBinary } from "./acquire-binary.ts";
import { loadInputs } from "./load-inputs.ts";

const scope = "/planes/radius/local/resourceGroups/test/providers";
const environmentId = ResourceId.parse(`${scope}/Radius.Core/environments/prod`);
const tokens = `${scope}/Radius.Security/secrets/tokens`;

interface World {
  readonly terraform: TerraformInput;
  readonly parameters?: JsonObject;
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

function workOf({ terraform, parameters = {}, secrets = {} }: World) {
  const hidden: string[] = [];
  const read: string[] = [];
  const work: DriverWork & { readonly parameters: JsonObject } = {
    definition: { name: "default", kind: "terraform", source: "acme/db/aws", version: "1.0.0", parameters: {} },
    configuration: {
      family: "Radius.Core",
      runtime: { kind: "aci" },
      isSimulated: false,
      terraform,
    },
    environmentId,
    parameters,
    readSecret: async (id) => {
      read.push(id);
      const values = secrets[id];
      if (values === undefined) {
        throw new ApiError("LoadSecretsFailed", `The secret '${id}' does not exist.`);
      }
      return { kind: "generic", values };
    },
    resources: { get: async () => undefined, list: async () => ({ items: [] }), secrets: async () => ({}) },
    log: silentLogger,
    signal: new AbortController().signal,
    hide: (values) => void hidden.push(...values),
  };
  return { work, hidden, read };
}

const settings = (properties: JsonObject): TerraformInput => ({ kind: "settings", id: "s", properties });
const withToken = settings({
  terraformrc: { credentials: { "registry.example.com": { token: { secretId: tokens, key: "registry" } } } },
});

it("a Radius.Core environment without settings is refused, and the text says what to set (S000-30)", async () => {
  const { work } = workOf({ terraform: { kind: "none" } });
  await assert.rejects(loadInputs({ requireSettings: true }, work), (error: ApiError) => {
    assert.equal(error.code, "RecipeConfigurationFailure");
    assert.match(error.message, /^terraformSettings must be set on the environment "\S+\/prod"/);
    assert.match(error.message, /recipe "default", module acme\/db\/aws 1\.0\.0/);
    return true;
  });
});

it("terraform.requireSettings: false lets such an environment run with defaults (S000-31)", async () => {
  const { work } = workOf({ terraform: { kind: "none" } });
  const { settings: found, recipeConfig } = await loadInputs({ requireSettings: false }, work);
  assert.deepEqual([found, recipeConfig], [undefined, undefined]);
});

it("secrets of settings and parameters are read once each, hidden, and found by reference", async () => {
  const reference = { secretId: tokens, key: "password" };
  const { work, hidden, read } = workOf({
    terraform: withToken,
    parameters: { deep: [{ password: reference }] },
    secrets: { [tokens]: { registry: "canary-r", password: "canary-p" } },
  });

  const { lookup, secrets } = await loadInputs({ requireSettings: true }, work);

  assert.deepEqual(read, [tokens]);
  assert.equal(lookup(reference), "canary-p");
  assert.deepEqual([...secrets].toSorted(), ["canary-p", "canary-r"]);
  assert.deepEqual([...hidden].toSorted(), ["canary-p", "canary-r"]);
});

for (const [what, secrets] of [
  ["secret", {}],
  ["key", { [tokens]: { other: "x" } }],
] as const) {
  it(`a missing ${what} stops the run with the id of the secret (S000-36)`, async () => {
    const { work } = workOf({ terraform: withToken, secrets });
    await assert.rejects(loadInputs({ requireSettings: true }, work), (error: ApiError & { recipeStatus?: string }) => {
      assert.equal(error.code, "LoadSecretsFailed");
      assert.equal(error.recipeStatus, "setupError");
      assert.match(
        error.message,
        /^failed to fetch secrets for Terraform recipe acme\/db\/aws deployment: .*secrets\/tokens/,
      );
      return true;
    });
  });
}

it("secrets are read anew for every run (S000-47)", async () => {
  const secrets: Record<string, Record<string, string>> = { [tokens]: { registry: "old" } };
  const { work } = workOf({ terraform: withToken, secrets });
  await loadInputs({ requireSettings: true }, work);
  secrets[tokens] = { registry: "new" };

  const { lookup } = await loadInputs({ requireSettings: true }, work);

  assert.equal(lookup({ secretId: tokens, key: "registry" }), "new");
});

it("a run without Terraform has the installer's text, and its detail while an install runs (S000-142)", async () => {
  const text = "Terraform is not installed. Run 'rad terraform install' to install Terraform.";
  const details = [{ code: "Conflict", message: "install in progress, retry after status shows Succeeded" }];
  const leases = { acquire: () => Promise.reject(new ApiError("Conflict", text, { details })) };

  await assert.rejects(acquireBinary(leases, new AbortController().signal), {
    message: text,
    details,
    recipeStatus: "setupError",
  });
});

const gitStore = `${scope}/Applications.Core/secretStores/git`;
const withGit: TerraformInput = {
  kind: "recipeConfig",
  properties: { terraform: { authentication: { git: { pat: { "git.example": { secret: gitStore } } } } } },
};

it("the Git tokens of an environment and of settings are read for each run, and hidden", async () => {
  const ofSettings = settings({ authentication: { git: { pat: { "git.example": { secret: gitStore } } } } });
  for (const terraform of [withGit, ofSettings]) {
    const { work, hidden, read } = workOf({
      terraform,
      secrets: { [gitStore]: { "tls.pat": "token", "tls.username": "ann" } },
    });

    const { module } = await loadInputs({ requireSettings: true }, work);

    assert.deepEqual(module.git, [{ origin: "https://git.example", username: "ann", password: "token" }]);
    assert.deepEqual(read, [gitStore]);
    assert.deepEqual(hidden, ["token", "ann"]);
  }
});

for (const [what, secrets, message] of [
  ["is gone", {}, /The secret '\S+secretStores\/git' does not exist/],
  [
    "has no token",
    { [gitStore]: { username: "ann" } },
    /'pat' secret key was not found in secret store '\S+secretStores\/git'/,
  ],
] as const) {
  it(`a Git secret that ${what} is a setup error with its id`, async () => {
    const { work } = workOf({ terraform: withGit, secrets });
    await assert.rejects(loadInputs({ requireSettings: true }, work), (error: ApiError) => {
      assert.equal(error.code, "LoadSecretsFailed");
      assert.equal((error as unknown as { recipeStatus: string }).recipeStatus, "setupError");
      assert.match(error.message, message);
      return true;
    });
  });
}
