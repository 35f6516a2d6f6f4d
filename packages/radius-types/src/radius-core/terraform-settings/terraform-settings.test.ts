import assert from "node:assert/strict";
import { it } from "node:test";
import { atOnce, type JsonObject } from "@rad/core";
import { compileSchema } from "@rad/resource-types";
import { radiusCoreVersion } from "../version.ts";
import { neverInstalled } from "./never-installed.ts";
import { terraformSettings } from "./schema.ts";

const secretId = "/planes/radius/local/providers/Radius.Security/secrets/tokens";
const inGroup = "/planes/radius/local/resourceGroups/g/providers/radius.security/SECRETS/tokens";
const store = "/planes/radius/local/resourceGroups/g/providers/Applications.Core/secretStores/tokens";
const schema = compileSchema(terraformSettings.versions[radiusCoreVersion] ?? {});

/** The paths of everything that is wrong, below `$.properties`; no message may hold a canary. */
function problemsOf(properties: JsonObject): string[] {
  const own = terraformSettings.handler?.problems?.({ apiVersion: radiusCoreVersion, properties }) ?? [];
  const all = [...atOnce(schema.validate(properties)), ...own];
  for (const { path, message } of all) {
    assert.doesNotMatch(`${path} ${message}`, /canary/i);
  }
  return [...new Set(all.map(({ path }) => path.replace(/^\$\.properties\.?/, "")))].toSorted();
}

const mirror = (networkMirror: JsonObject): JsonObject => ({
  terraformrc: { providerInstallation: { networkMirror } },
});
const include = (...patterns: string[]): JsonObject => ({
  terraformrc: { providerInstallation: { direct: { include: patterns } } },
});
const host = (name: string): JsonObject => ({ terraformrc: { credentials: { [name]: { secret: secretId } } } });
const token = (entry: JsonObject | string): JsonObject => ({ terraformrc: { credentials: { "a.example": entry } } });
const backend = (type: string, config?: JsonObject): JsonObject => ({
  backend: { type, ...(config === undefined ? {} : { config }) },
});
const azure = { storageAccountName: "a", containerName: "c", key: "k" };
const s3 = { bucket: "b", key: "k", region: "eu-west-1" };

const accepted: readonly (readonly [what: string, properties: JsonObject])[] = [
  ["nothing at all", {}],
  ["empty blocks", { terraformrc: { providerInstallation: { direct: {} }, credentials: {} }, env: {}, logging: {} }],
  ["a mirror alone", mirror({ url: "https://mirror.example/providers" })],
  ["a mirror with a port and another case", mirror({ url: "HTTPS://mirror.example:8443" })],
  ["a lone star", include("*")],
  ["patterns of every form", include("*/*/*", "*/*", "hashicorp/*", "hashicorp/aws", "a.example:8443/ns/type")],
  ["a host", host("app.terraform.io")],
  ["a host with a port", host("registry.example:8443")],
  ["a token at plane scope", token({ token: { secretId, key: "any" } })],
  ["a token at group scope, in any case", token({ token: { secretId: inGroup, key: "token" } })],
  ["a token of a secret store", token({ token: { secretId: store, key: "token" } })],
  ["upstream's spelling", token({ secret: secretId })],
  ["any variable", { env: { TF_LOG: "TRACE", TF_LOG_CORE: "x", TF_REGISTRY_CLIENT_TIMEOUT: "15", _my1: "" } }],
  ...["TRACE", "debug", "Info", "WARN", "error", "Off", "json"].map(
    (level) => [`the level ${level}`, { logging: { level } }] as const,
  ),
  ["a backend without a configuration", backend("kubernetes")],
  ["the kubernetes backend", backend("kubernetes", { secretSuffix: "prod-state", namespace: "radius-system" })],
  ["the azurerm backend", backend("azurerm", azure)],
  ["credentials of azurerm by reference", backend("azurerm", { ...azure, accessKey: { secretId, key: "k" } })],
  ["Terraform's own spelling of arguments", backend("s3", { ...s3, secret_key: { secretId, key: "k" } })],
  ["other arguments of s3", backend("s3", { ...s3, useLockfile: true, endpoints: { s3: "https://s3.example" } })],
  ["a connection string by reference", backend("pg", { connStr: { secretId, key: "k" } })],
  ...["oss", "gcs", "http", "oci", "pg", "cos", "consul"].map(
    (type) => [`the backend ${type}, passed through`, backend(type, { anything: ["goes", 1] })] as const,
  ),
];
for (const [what, properties] of accepted) {
  it(`Terraform settings accept ${what}`, () => {
    assert.deepEqual(problemsOf(properties), []);
  });
}

const url = "terraformrc.providerInstallation.networkMirror.url";
const entry = "terraformrc.credentials['a.example']";
const refused: readonly (readonly [what: string, properties: JsonObject, paths: readonly string[]])[] = [
  ["a mirror without a URL", mirror({}), [url]],
  ...["mirror.example/canary", "http://mirror.example/canary", "https://", "https:mirror", "ftp://m.example"].map(
    (text) => [`the mirror ${text}`, mirror({ url: text }), [url]] as const,
  ),
  ["a mirror with a password", mirror({ url: "https://user:canary@mirror.example" }), [url]],
  ...["aws", "a/b/c/d", "*/hashicorp/aws", "*/aws", "*/*/aws", "", "hashi corp/aws", "a b.example/ns/type"].map(
    (text) => [`the pattern '${text}'`, include(text), ["terraformrc.providerInstallation.direct.include[0]"]] as const,
  ),
  ...["https://a.example", "a.example/path", "a b.example", "", "a.example:0", "a.example:http", ":443"].map(
    (name) => [`the host '${name}'`, host(name), [`terraformrc.credentials['${name}']`]] as const,
  ),
  ["a plain token", token({ token: "canary" }), [`${entry}.token`]],
  ["a token in the place of its entry", token("canary"), [entry]],
  ["a reference without a key", token({ token: { secretId } }), [`${entry}.token.key`]],
  ["empty members", token({ token: { secretId: "", key: "" } }), [`${entry}.token.key`, `${entry}.token.secretId`]],
  [
    "an id of another type",
    token({ token: { secretId: inGroup.replace("SECRETS", "x"), key: "k" } }),
    [`${entry}.token.secretId`],
  ],
  ["what is no id", token({ secret: "canary" }), [`${entry}.secret`]],
  ["both spellings", token({ secret: secretId, token: { secretId, key: "k" } }), [entry]],
  ["neither spelling", token({}), [entry]],
  ["a number as variable", { env: { A: 1 } }, ["env.A"]],
  ["a reference as variable", { env: { A: { secretId, key: "k" } } }, ["env.A"]],
  ...[
    "TF_TOKEN_app_terraform_io",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "ARM_CLIENT_SECRET",
    "ARM_ACCESS_KEY",
    "ARM_SAS_TOKEN",
    "KUBE_TOKEN",
    "KUBE_PASSWORD",
    "kube_token",
    "TF_WORKSPACE",
    "TF_DATA_DIR",
    "TF_CLI_CONFIG_FILE",
    "TF_CLI_ARGS",
    "TF_CLI_ARGS_apply",
    "TF_IN_AUTOMATION",
    "TF_INPUT",
    "TF_REATTACH_PROVIDERS",
  ].map((name) => [`the variable ${name}`, { env: { [name]: "canary" } }, [`env.${name}`]] as const),
  ["no name of a variable", { env: { "A B": "canary", "1A": "x" } }, ["env['1A']", "env['A B']"]],
  ["the level FATAL", { logging: { level: "FATAL" } }, ["logging.level"]],
  ["a backend without a type", { backend: { config: {} } }, ["backend.type"]],
  ...["local", "remote", "cloud", "Kubernetes", "canary"].map(
    (type) => [`the backend ${type}`, backend(type), ["backend.type"]] as const,
  ),
  ["a suffix that is no name", backend("kubernetes", { secretSuffix: "Canary_" }), ["backend.config.secretSuffix"]],
  ["a namespace that is none", backend("kubernetes", { namespace: "a.canary" }), ["backend.config.namespace"]],
  [
    "a suffix and a namespace of another type",
    backend("kubernetes", { secretSuffix: 5, namespace: { name: "canary" } }),
    ["backend.config.namespace", "backend.config.secretSuffix"],
  ],
  [
    "a place of another type",
    backend("azurerm", { storageAccountName: 5, containerName: ["canary"], key: {} }),
    ["backend.config.containerName", "backend.config.key", "backend.config.storageAccountName"],
  ],
  [
    "azurerm without what it needs",
    backend("azurerm", {}),
    ["backend.config.containerName", "backend.config.key", "backend.config.storageAccountName"],
  ],
  [
    "s3 without what it needs",
    backend("s3", { bucket: "" }),
    ["backend.config.bucket", "backend.config.key", "backend.config.region"],
  ],
  ["a plain access key", backend("azurerm", { ...azure, accessKey: "canary" }), ["backend.config.accessKey"]],
  ["a plain key of s3", backend("s3", { ...s3, secret_key: "canary" }), ["backend.config.secret_key"]],
  [
    "a half reference",
    backend("azurerm", { ...azure, accessKey: { secretId: "canary" } }),
    ["backend.config.accessKey"],
  ],
  [
    "a reference that no variable can carry",
    backend("s3", { ...s3, bucket: { secretId, key: "k" } }),
    ["backend.config.bucket"],
  ],
  [
    "an argument in both spellings",
    backend("s3", { ...s3, kmsKeyId: "a", kms_key_id: "b" }),
    ["backend.config.kms_key_id"],
  ],
  ["a password in a URL", backend("http", { address: "https://u:canary@h.example" }), ["backend.config.address"]],
  [
    "a password in a connection string",
    backend("pg", { connStr: "host=h password=canary" }),
    ["backend.config.connStr"],
  ],
  [
    "a misspelt member of terraformrc",
    { terraformrc: { providerInstalation: {} } },
    ["terraformrc.providerInstalation"],
  ],
  [
    "a misspelt method",
    { terraformrc: { providerInstallation: { mirror: {} } } },
    ["terraformrc.providerInstallation.mirror"],
  ],
  ["a misspelt member of a backend", { backend: { type: "s3", config: s3, konfig: {} } }, ["backend.konfig"]],
  ["a misspelt member of logging", { logging: { levels: "INFO" } }, ["logging.levels"]],
  [
    "several things at once",
    {
      ...mirror({ url: "canary" }),
      ...backend("s3", { ...s3, token: "canary" }),
      env: { TF_INPUT: "1" },
      logging: { level: "x" },
    },
    ["backend.config.token", "env.TF_INPUT", "logging.level", url],
  ],
];
for (const [what, properties, paths] of refused) {
  it(`Terraform settings refuse ${what}`, () => {
    assert.deepEqual(problemsOf(properties), [...paths].toSorted());
  });
}

const installation = (networkMirror: JsonObject | undefined, direct?: JsonObject): JsonObject => ({
  terraformrc: {
    providerInstallation: {
      ...(networkMirror === undefined ? {} : { networkMirror }),
      ...(direct === undefined ? {} : { direct }),
    },
  },
});
const unusable: readonly (readonly [what: string, properties: JsonObject, providers: readonly string[]])[] = [
  [
    "the seed's own sample",
    installation({ include: ["*"], exclude: ["hashicorp/azurerm"] }, { exclude: ["hashicorp/azurerm"] }),
    ["hashicorp/azurerm"],
  ],
  ["one that only the mirror excludes", installation({ exclude: ["hashicorp/aws"] }, {}), []],
  ["one that the only method excludes", installation({ exclude: ["hashicorp/aws"] }), ["hashicorp/aws"]],
  [
    "one that the other method does not include",
    installation({ exclude: ["hashicorp/aws"] }, { include: ["a.example/*/*"] }),
    ["hashicorp/aws"],
  ],
  [
    "a wider pattern",
    installation({ exclude: ["hashicorp/aws"] }, { exclude: ["registry.terraform.io/hashicorp/*"] }),
    ["hashicorp/aws"],
  ],
  ["no exclusions", installation({}, {}), []],
];
for (const [what, properties, providers] of unusable) {
  it(`a provider that every method excludes is warned about: ${what}`, () => {
    const named = neverInstalled(properties).map((warning) => /'([^']*)'/.exec(warning)?.[1]);
    assert.deepEqual(named, providers);
  });
}
