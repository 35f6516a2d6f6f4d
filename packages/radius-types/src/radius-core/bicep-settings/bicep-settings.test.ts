import assert from "node:assert/strict";
import { it } from "node:test";
import { atOnce, type JsonObject } from "@rad/core";
import { compileSchema } from "@rad/resource-types";
import { radiusCoreVersion } from "../version.ts";
import { bicepSettings } from "./schema.ts";

const secretId = "/planes/radius/local/providers/Radius.Security/secrets/registry";
const schema = compileSchema(bicepSettings.versions[radiusCoreVersion] ?? {});

/** The paths of everything that is wrong, below `$.properties`; no message may hold a canary. */
function problemsOf(properties: JsonObject): string[] {
  const own = bicepSettings.handler?.problems?.({ apiVersion: radiusCoreVersion, properties }) ?? [];
  const all = [...atOnce(schema.validate(properties)), ...own];
  for (const { path, message } of all) {
    assert.doesNotMatch(`${path} ${message}`, /canary/);
  }
  return [...new Set(all.map(({ path }) => path.replace(/^\$\.properties\.?/, "")))].toSorted();
}

const registry = (entry: JsonObject | string, host = "a.example"): JsonObject => ({
  authentication: { registries: { [host]: entry } },
});
const flat = (entry: JsonObject, host = "a.example"): JsonObject => ({ registryAuthentications: { [host]: entry } });
const basic = { username: "ann", password: { secretId, key: "password" } };
const azureWorkloadIdentity = { clientId: "c", tenantId: "t" };

const accepted: readonly (readonly [what: string, properties: JsonObject])[] = [
  ["nothing", {}],
  ["a password", registry({ basic })],
  ["Azure workload identity", registry({ azureWorkloadIdentity }, "a.azurecr.io:8443")],
  ["an IAM role", registry({ awsIrsa: { roleArn: "arn:aws:iam::1:role/r" } })],
  ["upstream's password", flat({ authenticationMethod: "BasicAuth", basicAuthSecretId: secretId })],
  ["upstream's Azure identity", flat({ authenticationMethod: "AzureWI", azureWiClientId: "c", azureWiTenantId: "t" })],
  ["upstream's IAM role", flat({ authenticationMethod: "AwsIrsa", awsIamRoleArn: "arn" })],
  [
    "both spellings for different hosts",
    { ...registry({ basic }), ...flat({ authenticationMethod: "AwsIrsa", awsIamRoleArn: "arn" }, "b.example") },
  ],
];
for (const [what, properties] of accepted) {
  it(`Bicep settings accept ${what}`, () => {
    assert.deepEqual(problemsOf(properties), []);
  });
}

const nested = "authentication.registries['a.example']";
const upstream = "registryAuthentications['a.example']";
const refused: readonly (readonly [what: string, properties: JsonObject, paths: readonly string[]])[] = [
  ["no method", registry({}), [nested]],
  ["two methods", registry({ basic, azureWorkloadIdentity }), [nested]],
  ["half a password", registry({ basic: { username: "ann" } }), [`${nested}.basic.password`]],
  ["an empty user name", registry({ basic: { ...basic, username: "" } }), [`${nested}.basic.username`]],
  [
    "an empty identity",
    registry({ azureWorkloadIdentity: { clientId: "", tenantId: "" } }),
    [`${nested}.azureWorkloadIdentity.clientId`, `${nested}.azureWorkloadIdentity.tenantId`],
  ],
  ["an empty ARN", registry({ awsIrsa: { roleArn: "" } }), [`${nested}.awsIrsa.roleArn`]],
  ["a plain password", registry({ basic: { username: "ann", password: "canary" } }), [`${nested}.basic.password`]],
  [
    "half an identity",
    registry({ azureWorkloadIdentity: { clientId: "c" } }),
    [`${nested}.azureWorkloadIdentity.tenantId`],
  ],
  ["a role without an ARN", registry({ awsIrsa: {} }), [`${nested}.awsIrsa.roleArn`]],
  [
    "what is no secret",
    registry({ basic: { username: "a", password: { secretId: "canary", key: "k" } } }),
    [`${nested}.basic.password.secretId`],
  ],
  ["a misspelt method", registry({ basci: basic }), [`${nested}.basci`]],
  ["a misspelt member", { authentication: { registry: {} } }, ["authentication.registry"]],
  [
    "a host with a scheme",
    registry({ basic }, "https://a.example"),
    ["authentication.registries['https://a.example']"],
  ],
  ["an entry without a method", flat({}), [`${upstream}.authenticationMethod`]],
  ["an unknown method", flat({ authenticationMethod: "canary" }), [`${upstream}.authenticationMethod`]],
  ["a method without its member", flat({ authenticationMethod: "BasicAuth" }), [`${upstream}.basicAuthSecretId`]],
  [
    "members of two methods",
    flat({ authenticationMethod: "AwsIrsa", awsIamRoleArn: "a", azureWiClientId: "c" }),
    [`${upstream}.azureWiClientId`],
  ],
  [
    "both spellings for one host",
    { ...registry({ basic }), ...flat({ authenticationMethod: "AwsIrsa", awsIamRoleArn: "arn" }, "A.example") },
    ["registryAuthentications['A.example']"],
  ],
];
for (const [what, properties, paths] of refused) {
  it(`Bicep settings refuse ${what}`, () => {
    assert.deepEqual(problemsOf(properties), [...paths].toSorted());
  });
}
