import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import type { Backend, BackendOptions, StatePlace } from "./backend.ts";
import { backendOf, withStateName } from "./backend.ts";
import { awsTokenFile } from "./cloud-credentials.ts";
import { secretLookup } from "./secret-lookup.ts";

const owner = {
  resourceId: "/planes/radius/local/resourceGroups/default/providers/Applications.Datastores/redisCaches/cache",
  environmentName: "env",
  applicationName: "app",
};
const hash = "cacf81f79852e7137301e6589490baf2c4f9ef10";
const legacy = "9df7064699b25dd2f9d0051ed5e395a26a1be95b";
const secretId = "/planes/radius/local/providers/Radius.Security/secrets/state";
const secrets = secretLookup([[secretId, { one: "canary-1", two: "canary-2", three: "canary-3" }]]);
const reference = (key: string): JsonObject => ({ secretId, key });
const cluster: StatePlace = {
  kind: "cluster",
  access: { kind: "inCluster", host: "10.0.0.1", port: "443" },
  namespace: "radius-system",
};
const controlPlane: StatePlace = {
  kind: "controlPlane",
  address: "http://127.0.0.1:9000/terraform/state/",
  username: "run-1",
  password: "canary-token",
};

function backend(options: Partial<BackendOptions> & { type?: string; config?: JsonObject } = {}): Backend {
  const { type, config, ...rest } = options;
  const settings = type === undefined ? undefined : { type, ...(config !== undefined && { config }) };
  return backendOf({ owner, place: cluster, secrets, settings, ...rest });
}

const inPod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };

it("state is in the cluster where there is one", () => {
  assert.deepEqual(backend(), {
    type: "kubernetes",
    config: { namespace: "radius-system", in_cluster_config: true, secret_suffix: hash },
    env: inPod,
    secretValues: [],
    stateName: hash,
    legacyNames: [legacy],
  });
});

it("state is in the control plane where there is no cluster, with its token in the environment", () => {
  const address = `http://127.0.0.1:9000/terraform/state/${hash}`;
  assert.deepEqual(backend({ place: controlPlane }), {
    type: "http",
    config: {
      address,
      lock_address: address,
      unlock_address: address,
      retry_max: 10,
      retry_wait_min: 1,
      retry_wait_max: 10,
    },
    env: { TF_HTTP_USERNAME: "run-1", TF_HTTP_PASSWORD: "canary-token" },
    secretValues: ["canary-token"],
    stateName: hash,
    legacyNames: [],
  });
});

it("a kube config is named, and a token of a cluster travels in the environment", () => {
  const file = { kind: "kubeConfig", file: "/etc/kube", context: "prod" } as const;
  const explicit = { kind: "explicit", server: "https://k", ca: "PEM", token: "canary" } as const;

  const fromFile = backend({ place: { ...cluster, access: file } });
  const fromValues = backend({ place: { ...cluster, access: explicit } });

  assert.deepEqual(fromFile.config, {
    namespace: "radius-system",
    config_path: "/etc/kube",
    config_context: "prod",
    secret_suffix: hash,
  });
  assert.deepEqual(fromValues.config, {
    namespace: "radius-system",
    host: "https://k",
    cluster_ca_certificate: "PEM",
    config_path: "no-kube-config",
    secret_suffix: hash,
  });
  assert.deepEqual(fromValues.env, { KUBE_TOKEN: "canary" });
  assert.deepEqual(fromValues.secretValues, ["canary"]);
});

it("the seed's sample has one Secret for each resource, and knows the name used without settings", () => {
  const { config, stateName, legacyNames } = backend({
    type: "kubernetes",
    config: { secretSuffix: "prod-terraform-state", namespace: "radius-system" },
  });

  assert.equal(stateName, `prod-terraform-state-${hash}`);
  assert.deepEqual(config, { namespace: "radius-system", in_cluster_config: true, secret_suffix: stateName });
  assert.deepEqual(legacyNames, [hash, legacy]);
});

it("a state in another namespace or cluster is another state", () => {
  assert.deepEqual(backend({ type: "kubernetes", config: { namespace: "states" } }).legacyNames, []);
  const elsewhere = backend({
    type: "kubernetes",
    place: controlPlane,
    config: { configPath: "/mnt/kube", secretSuffix: "x" },
  });
  assert.deepEqual(elsewhere.config, { config_path: "/mnt/kube", secret_suffix: `x-${hash}` });
  assert.deepEqual(elsewhere.legacyNames, []);
  const byHost = backend({
    type: "kubernetes",
    place: controlPlane,
    config: { host: "https://k", token: reference("one") },
  });
  assert.deepEqual(byHost.config, { config_path: "no-kube-config", host: "https://k", secret_suffix: hash });
  assert.deepEqual(byHost.env, { KUBE_TOKEN: "canary-1" });
});

it("an existing state keeps its name", () => {
  const renamed = withStateName(backend({ type: "kubernetes", config: { secretSuffix: "x" } }), legacy);
  assert.equal(renamed.stateName, legacy);
  assert.equal(renamed.config["secret_suffix"], legacy);
});

it("settings that ask for a cluster where there is none are refused", () => {
  assert.throws(() => backend({ type: "kubernetes", place: controlPlane }), { code: "RecipeConfigurationFailure" });
});

const azurerm = { storageAccountName: "corp", containerName: "states", key: "prod.tfstate" };
const s3 = { bucket: "states", key: "prod/", region: "eu-west-1" };
const derived: readonly (readonly [
  what: string,
  settings: { type: string; config: JsonObject },
  expected: { config: JsonObject; env?: Record<string, string>; stateName: string },
])[] = [
  [
    "azurerm",
    { type: "azurerm", config: { ...azurerm, accessKey: reference("one"), clientId: reference("two") } },
    {
      config: { storage_account_name: "corp", container_name: "states", key: `prod/${hash}.tfstate` },
      env: { ARM_ACCESS_KEY: "canary-1", ARM_CLIENT_ID: "canary-2" },
      stateName: `prod/${hash}.tfstate`,
    },
  ],
  [
    "s3 with nested arguments, and members of tags as they are",
    {
      type: "s3",
      config: {
        ...s3,
        accessKey: reference("one"),
        secret_key: reference("two"),
        token: reference("three"),
        useLockfile: true,
        maxRetries: 3,
        endpoints: { s3: "https://s3.example" },
        assumeRole: { roleArn: "arn:x", transitiveTagKeys: ["costCentre"], tags: { costCentre: "a" } },
        unused: null,
      },
    },
    {
      config: {
        bucket: "states",
        key: `prod/${hash}.tfstate`,
        region: "eu-west-1",
        use_lockfile: true,
        max_retries: 3,
        endpoints: { s3: "https://s3.example" },
        assume_role: { role_arn: "arn:x", transitive_tag_keys: ["costCentre"], tags: { costCentre: "a" } },
      },
      env: { AWS_ACCESS_KEY_ID: "canary-1", AWS_SECRET_ACCESS_KEY: "canary-2", AWS_SESSION_TOKEN: "canary-3" },
      stateName: `prod/${hash}.tfstate`,
    },
  ],
  [
    "pg",
    { type: "pg", config: { connStr: reference("one"), skipIndexCreation: true } },
    {
      config: { skip_index_creation: true, schema_name: `terraform_remote_state_${hash}` },
      env: { PG_CONN_STR: "canary-1" },
      stateName: `terraform_remote_state_${hash}`,
    },
  ],
  [
    "http, with locks below the state and a query",
    {
      type: "http",
      config: {
        address: "https://states.example/prod?a=1",
        lockAddress: "https://states.example/prod/lock",
        unlockAddress: "https://locks.example/prod/",
        lockMethod: "POST",
        password: reference("one"),
      },
    },
    {
      config: {
        address: `https://states.example/prod-${hash}?a=1`,
        lock_address: `https://states.example/prod-${hash}/lock`,
        unlock_address: `https://locks.example/prod/${hash}`,
        lock_method: "POST",
      },
      env: { TF_HTTP_PASSWORD: "canary-1" },
      stateName: `https://states.example/prod-${hash}?a=1`,
    },
  ],
  [
    "gcs",
    { type: "gcs", config: { bucket: "states", prefix: "prod", credentials: reference("one") } },
    {
      config: { bucket: "states", prefix: `prod/${hash}` },
      env: { GOOGLE_BACKEND_CREDENTIALS: "canary-1" },
      stateName: `prod/${hash}`,
    },
  ],
  [
    "consul",
    { type: "consul", config: { path: "states", accessToken: reference("one") } },
    { config: { path: `states/${hash}` }, env: { CONSUL_HTTP_TOKEN: "canary-1" }, stateName: `states/${hash}` },
  ],
  [
    "oss",
    { type: "oss", config: { bucket: "states", key: "prod" } },
    { config: { bucket: "states", key: `prod/${hash}.tfstate` }, stateName: `prod/${hash}.tfstate` },
  ],
];
for (const [what, settings, { config, env = {}, stateName }] of derived) {
  it(`the backend ${what}: secrets are variables, and the state is of this resource alone`, () => {
    assert.deepEqual(backendOf({ owner, place: cluster, secrets, settings }), {
      type: settings.type,
      config,
      env,
      secretValues: Object.values(env),
      stateName,
      legacyNames: [],
    });
  });
}

const refused: readonly (readonly [what: string, type: string, config: JsonObject])[] = [
  ["local", "local", { path: "/tmp/state" }],
  ["remote", "remote", {}],
  ["cloud", "cloud", {}],
  ["what is inherited by objects", "constructor", {}],
  ["azurerm without a container", "azurerm", { storageAccountName: "a", key: "k" }],
  ["s3 without a region", "s3", { bucket: "b", key: "k" }],
  ["http without an address", "http", {}],
  ["a plain credential", "s3", { ...s3, secretKey: "canary" }],
  ["a plain credential in a nested block", "s3", { ...s3, assumeRoleWithWebIdentity: { webIdentityToken: "canary" } }],
  ["a reference that no variable carries", "s3", { ...s3, kmsKeyId: reference("one") }],
  ["a nested reference", "s3", { ...s3, assumeRole: { externalId: reference("one") } }],
];
for (const [what, type, config] of refused) {
  it(`the backend is refused: ${what}`, () => {
    assert.throws(
      () => backend({ type, config }),
      (error: Error & { code: string }) =>
        error.code === "RecipeConfigurationFailure" && !error.message.includes("canary"),
    );
  });
}

it("a secret that was not loaded stops the run", () => {
  const config = { ...s3, secretKey: reference("none") };
  assert.throws(() => backend({ type: "s3", config }), { code: "LoadSecretsFailed" });
});

const principal = { kind: "ServicePrincipal", tenantId: "t", clientId: "c", clientSecret: "canary" } as const;
const registered = [
  [
    "a service principal",
    "azurerm",
    azurerm,
    { azure: principal },
    { ARM_CLIENT_ID: "c", ARM_TENANT_ID: "t", ARM_CLIENT_SECRET: "canary" },
  ],
  [
    "an access key",
    "s3",
    s3,
    { aws: { kind: "AccessKey", accessKeyId: "AKIA", secretAccessKey: "canary" } },
    { AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "canary" },
  ],
  [
    "a role",
    "s3",
    s3,
    { aws: { kind: "IRSA", roleARN: "arn:role" } },
    { AWS_ROLE_ARN: "arn:role", AWS_ROLE_SESSION_NAME: "run-1", AWS_WEB_IDENTITY_TOKEN_FILE: awsTokenFile },
  ],
  ["nothing where the settings choose", "azurerm", { ...azurerm, useMsi: true }, { azure: principal }, {}],
  ["nothing for another cloud", "s3", s3, { azure: principal }, {}],
] as const;
for (const [what, type, config, credentials, env] of registered) {
  it(`credentials registered with the control plane serve its backends: ${what}`, () => {
    const actual = backend({ type, config: { ...config }, credentials, session: "run-1" });

    assert.deepEqual(actual.env, env);
    assert.equal(actual.secretValues.includes("canary"), Object.values(env).includes("canary"));
  });
}
