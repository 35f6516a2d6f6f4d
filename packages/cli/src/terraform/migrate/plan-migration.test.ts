import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@rad/core";
import { planMigration, registrySecrets } from "./plan-migration.ts";

const store = "/planes/radius/local/resourceGroups/dev/providers/Applications.Core/secretStores/login";
const secretTypes = new Map([[store.toLowerCase(), "basicAuthentication"]]);
const registry = { bicep: { authentication: { "ghcr.io": { secret: store } } } };

for (const [name, properties, settings] of [
  ["nothing", {}, []],
  ["an empty recipeConfig", { recipeConfig: { terraform: {}, bicep: {}, env: {} } }, []],
  [
    "variables",
    { recipeConfig: { env: { TF_REGISTRY_CLIENT_TIMEOUT: "15", tf_log: "TRACE" } } },
    [{ kind: "terraformSettings", properties: { env: { TF_REGISTRY_CLIENT_TIMEOUT: "15", tf_log: "TRACE" } } }],
  ],
  [
    "a log level",
    { recipeConfig: { env: { TF_LOG: "debug" } } },
    [{ kind: "terraformSettings", properties: { logging: { level: "debug" } } }],
  ],
  [
    "what Terraform takes for a log level",
    { recipeConfig: { env: { TF_LOG: "loud" } } },
    [{ kind: "terraformSettings", properties: { env: { TF_LOG: "loud" } } }],
  ],
  [
    "a registry",
    { recipeConfig: registry },
    [
      {
        kind: "bicepSettings",
        properties: {
          registryAuthentications: { "ghcr.io": { authenticationMethod: "BasicAuth", basicAuthSecretId: store } },
        },
      },
    ],
  ],
  [
    "a half that has settings",
    { terraformSettings: "/some", recipeConfig: { env: { A: "1" }, envSecrets: { B: {} } } },
    [],
  ],
  ["both halves with settings", { terraformSettings: "/a", bicepSettings: "/b", recipeConfig: registry }, []],
] as readonly (readonly [string, JsonObject, readonly object[]])[]) {
  test(`${name} of recipeConfig becomes ${settings.length === 0 ? "no" : "its"} settings`, () => {
    assert.deepEqual(planMigration(properties, secretTypes), { settings, notMoved: [] });
  });
}

test("a token of a Git host keeps its shape (S000-197)", () => {
  const pat = { "git.example": { secret: store }, "other.example:8443": { secret: store } };
  const { settings, notMoved } = planMigration(
    { recipeConfig: { terraform: { authentication: { git: { pat } } } } },
    secretTypes,
  );

  assert.deepEqual(settings, [{ kind: "terraformSettings", properties: { authentication: { git: { pat } } } }]);
  assert.deepEqual(notMoved, []);
});

test("what settings have no place for is listed by path, with what to do (S000-215)", () => {
  const recipeConfig = {
    terraform: { providers: { azurerm: [{ secrets: { client_secret: { source: store, key: "k" } } }], aws: [{}] } },
    env: { TF_CLI_CONFIG_FILE: "/x", AWS_SECRET_ACCESS_KEY: "canary", A: "1" },
    envSecrets: { TOKEN: { source: store, key: "k" } },
    bicep: {
      authentication: {
        "a.example": { secret: `${store}-missing` },
        "b.example": { secret: `${store}-identity` },
      },
    },
  };
  const types = new Map([
    ...secretTypes,
    [`${store}-missing`.toLowerCase(), undefined],
    [`${store}-identity`.toLowerCase(), "azureWorkloadIdentity"],
  ]);

  const { settings, notMoved } = planMigration({ recipeConfig }, types);

  assert.deepEqual(
    settings.map(({ properties }) => properties),
    [{ env: { A: "1" } }, {}],
  );
  assert.deepEqual(
    notMoved.map(({ path }) => path),
    [
      "recipeConfig.terraform.providers.azurerm",
      "recipeConfig.terraform.providers.aws",
      "recipeConfig.env.TF_CLI_CONFIG_FILE",
      "recipeConfig.env.AWS_SECRET_ACCESS_KEY",
      "recipeConfig.envSecrets.TOKEN",
      "recipeConfig.bicep.authentication.a.example",
      "recipeConfig.bicep.authentication.b.example",
    ],
  );
  assert.ok(
    !JSON.stringify(notMoved).includes("canary"),
    "a value that is a secret in the wrong place is not repeated",
  );
  assert.deepEqual(registrySecrets({ recipeConfig }), [`${store}-missing`, `${store}-identity`]);
});
