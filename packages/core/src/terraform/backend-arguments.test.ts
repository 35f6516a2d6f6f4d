import assert from "node:assert/strict";
import { it } from "node:test";
import { argumentName } from "./argument-name.ts";
import { backendTypes, isSecretArgument, requiredArguments, variableOfArgument } from "./backend-arguments.ts";

it("settings can name every remote backend, and neither local nor remote nor cloud", () => {
  const types = ["azurerm", "consul", "cos", "gcs", "http", "kubernetes", "oci", "oss", "pg", "s3"];
  assert.deepEqual(backendTypes.toSorted(), types);
});

const variables = [
  ["kubernetes", "token", "KUBE_TOKEN"],
  ["azurerm", "accessKey", "ARM_ACCESS_KEY"],
  ["azurerm", "sasToken", "ARM_SAS_TOKEN"],
  ["azurerm", "clientSecret", "ARM_CLIENT_SECRET"],
  ["s3", "accessKey", "AWS_ACCESS_KEY_ID"],
  ["s3", "secretKey", "AWS_SECRET_ACCESS_KEY"],
  ["s3", "token", "AWS_SESSION_TOKEN"],
  ["http", "password", "TF_HTTP_PASSWORD"],
  ["gcs", "credentials", "GOOGLE_BACKEND_CREDENTIALS"],
] as const;
for (const [type, member, variable] of variables) {
  it(`${member} of ${type} is a secret that travels as ${variable}`, () => {
    assert.ok(isSecretArgument(type, argumentName(member)));
    assert.equal(variableOfArgument(type, argumentName(member)), variable);
  });
}

it("arguments that are no secrets may be in one, where a variable can carry them", () => {
  assert.equal(isSecretArgument("pg", "conn_str"), false);
  assert.equal(variableOfArgument("pg", "conn_str"), "PG_CONN_STR");
  assert.equal(variableOfArgument("s3", "bucket"), undefined);
  assert.equal(variableOfArgument("s3", "constructor"), undefined);
});

it("azurerm and s3 cannot do without the place of the state", () => {
  assert.deepEqual(requiredArguments("azurerm"), ["storage_account_name", "container_name", "key"]);
  assert.deepEqual(requiredArguments("s3"), ["bucket", "key", "region"]);
});

const names = [
  ["secretSuffix", "secret_suffix"],
  ["secret_suffix", "secret_suffix"],
  ["inClusterConfig", "in_cluster_config"],
  ["oidcRequestURL", "oidc_request_url"],
  ["ec2MetadataServiceEndpoint", "ec2_metadata_service_endpoint"],
  ["skipS3Checksum", "skip_s3_checksum"],
  ["key", "key"],
] as const;
for (const [member, argument] of names) {
  it(`${member} is the argument ${argument}`, () => {
    assert.equal(argumentName(member), argument);
  });
}
