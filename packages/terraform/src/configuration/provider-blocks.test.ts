import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { awsTokenFile, azureTokenFile } from "./cloud-credentials.ts";
import type { RequiredProviders } from "./module-interface.ts";
import type { ProviderBlocks, ProviderSettings } from "./provider-blocks.ts";
import { providerBlocks } from "./provider-blocks.ts";
import { secretLookup } from "./secret-lookup.ts";
import { SecretVariables } from "./secret-variables.ts";

const store = "/planes/radius/local/resourceGroups/g/providers/Applications.Core/secretStores/s";
const secrets = secretLookup([[store, { password: "canary-password", token: "canary-token" }]]);
const subscription = "/planes/azure/azurecloud/subscriptions/sub-1/resourceGroups/rg";
const region = "/planes/aws/aws/accounts/123456789012/regions/us-west-2";

function required(name: string, source?: string, ...configurationAliases: string[]): RequiredProviders {
  return { [name]: { ...(source !== undefined && { source }), configurationAliases } };
}

function built(
  providers: RequiredProviders,
  settings: Omit<ProviderSettings, "session">,
): ProviderBlocks & {
  readonly values: Readonly<Record<string, string>>;
} {
  const variables = new SecretVariables();
  const blocks = providerBlocks(providers, { session: "radius-terraform-run-1", ...settings }, secrets, variables);
  assert.doesNotMatch(JSON.stringify(blocks), /canary/);
  return { ...blocks, values: variables.env };
}

const first = "${var.radius_secret_1}";
const second = "${var.radius_secret_2}";
const cases: readonly (readonly [
  what: string,
  providers: RequiredProviders,
  settings: Omit<ProviderSettings, "session">,
  blocks: Record<string, JsonObject[]>,
  values?: readonly string[],
])[] = [
  [
    "azurerm with a service principal",
    required("azurerm"),
    {
      azureScope: subscription,
      credentials: {
        azure: { kind: "ServicePrincipal", tenantId: "t", clientId: "c${x}", clientSecret: "canary${y}" },
      },
    },
    {
      azurerm: [{ features: {}, subscription_id: "sub-1", client_id: "c$${x}", tenant_id: "t", client_secret: first }],
    },
    ["canary${y}"],
  ],
  [
    "azurerm with workload identity",
    required("azurerm", "hashicorp/azurerm"),
    {
      azureScope: "/subscriptions/sub-1",
      credentials: { azure: { kind: "WorkloadIdentity", tenantId: "t", clientId: "c" } },
    },
    {
      azurerm: [
        {
          features: {},
          subscription_id: "sub-1",
          client_id: "c",
          tenant_id: "t",
          use_oidc: true,
          use_cli: false,
          oidc_token_file_path: azureTokenFile,
        },
      ],
    },
  ],
  ["azurerm without anything", required("azurerm"), {}, { azurerm: [{ features: {} }] }],
  [
    "azurerm with half a credential",
    required("azurerm"),
    { credentials: { azure: { kind: "ServicePrincipal", tenantId: "t", clientId: "c", clientSecret: "" } } },
    { azurerm: [{ features: {} }] },
  ],
  [
    "a provider under a local name of the module's",
    required("cloud", "hashicorp/azurerm"),
    { azureScope: "/subscriptions/sub-1" },
    { cloud: [{ features: {}, subscription_id: "sub-1" }] },
  ],
  [
    "aws with an access key",
    required("aws"),
    {
      awsScope: region,
      credentials: { aws: { kind: "AccessKey", accessKeyId: "canary-id", secretAccessKey: "canary-key" } },
    },
    { aws: [{ region: "us-west-2", access_key: first, secret_key: second }] },
    ["canary-id", "canary-key"],
  ],
  [
    "aws with a role",
    required("aws"),
    { awsScope: region, credentials: { aws: { kind: "IRSA", roleARN: "arn:aws:iam::1:role/r" } } },
    {
      aws: [
        {
          region: "us-west-2",
          assume_role_with_web_identity: {
            role_arn: "arn:aws:iam::1:role/r",
            session_name: "radius-terraform-run-1",
            web_identity_token_file: awsTokenFile,
          },
        },
      ],
    },
  ],
  ["aws without anything", required("aws"), {}, {}],
  [
    "kubernetes with a kube config",
    required("kubernetes"),
    { cluster: { kind: "kubeConfig", file: "/etc/kube", context: "prod" } },
    { kubernetes: [{ config_path: "/etc/kube", config_context: "prod" }] },
  ],
  [
    "kubernetes with a token",
    required("kubernetes"),
    { cluster: { kind: "explicit", server: "https://k", ca: "PEM", token: "canary" } },
    { kubernetes: [{ host: "https://k", cluster_ca_certificate: "PEM", token: first }] },
    ["canary"],
  ],
  ["other providers", required("random"), { awsScope: region }, {}],
  ["a cloud that no module needs", {}, { awsScope: region, azureScope: "nonsense" }, {}],
  [
    "configured providers, which replace what is known",
    required("aws"),
    { awsScope: region, configured: { aws: [{ region: "${r}", assumeRole: { "k${e}y": ["%{x}"] } }] } },
    { aws: [{ region: "$${r}", assumeRole: { "k$${e}y": ["%%{x}"] } }] },
  ],
  [
    "secrets of configured providers, which win over arguments",
    required("postgresql"),
    {
      configured: {
        postgresql: [{ host: "db", password: "none", secrets: { password: { source: store, key: "password" } } }],
      },
    },
    { postgresql: [{ host: "db", password: first }] },
    ["canary-password"],
  ],
];
for (const [what, providers, settings, blocks, values = []] of cases) {
  it(`provider blocks: ${what}`, () => {
    const actual = built(providers, settings);

    assert.deepEqual(actual.blocks, blocks);
    assert.deepEqual(Object.values(actual.values), values);
  });
}

it("a pod's way to its cluster reaches the kubernetes provider, and no other", () => {
  const cluster = { kind: "inCluster", host: "10.0.0.1", port: "443" } as const;
  const env = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };

  assert.deepEqual(built(required("kubernetes"), { cluster }), { blocks: {}, passed: {}, env, values: {} });
  assert.deepEqual(built(required("random"), { cluster }).env, {});
});

it("configurations with an alias are passed to the module that declares it", () => {
  const entries: JsonObject[] = [{ region: "a" }, { alias: "east", region: "b" }, { alias: "spare", region: "c" }];
  const configured = { aws: entries };

  assert.deepEqual(built(required("aws", "hashicorp/aws", "aws.east"), { configured }).passed, {
    "aws.east": "aws.east",
  });
});

const refused = [
  [
    "an alias that nobody configured",
    required("aws", undefined, "aws.east"),
    { configured: { aws: [{ alias: "x" }] } },
  ],
  ["a scope without a subscription", required("azurerm"), { azureScope: "/planes/azure/azurecloud" }],
  ["a scope without a region", required("aws"), { awsScope: "/planes/aws/aws/accounts/1" }],
  ["a secret without a key", required("x"), { configured: { x: [{ secrets: { a: { source: store } } }] } }],
] as const;
for (const [what, providers, settings] of refused) {
  it(`providers are refused: ${what}`, () => {
    assert.throws(() => built(providers, settings), { code: "RecipeConfigurationFailure" });
  });
}

it("a secret of a provider that was not loaded stops the run", () => {
  const configured = { x: [{ secrets: { a: { source: store, key: "none" } } }] };
  assert.throws(() => built({}, { configured }), { code: "LoadSecretsFailed" });
});
