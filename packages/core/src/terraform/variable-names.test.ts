import assert from "node:assert/strict";
import { it } from "node:test";
import { carriesCredentials, isReservedVariable, isVariableName } from "./variable-names.ts";

it("variables of the engine cannot be set", () => {
  const names = [
    "TF_WORKSPACE",
    "TF_DATA_DIR",
    "TF_CLI_CONFIG_FILE",
    "TF_CLI_ARGS",
    "TF_CLI_ARGS_apply",
    "TF_IN_AUTOMATION",
    "TF_INPUT",
    "TF_REATTACH_PROVIDERS",
    "TF_LOG_PATH",
    "TF_TEMP_LOG_PATH",
    "TF_LOG_SDK_PROTO_DATA_DIR",
    "tf_workspace",
  ];
  assert.deepEqual(names.filter(isReservedVariable), names);
});

it("names that carry credentials are known", () => {
  const names = [
    "TF_TOKEN_app_terraform_io",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "ARM_CLIENT_SECRET",
    "ARM_ACCESS_KEY",
    "ARM_SAS_TOKEN",
    "AZURE_CLIENT_SECRET",
    "OS_PASSWORD",
    "KUBE_TOKEN",
    "KUBE_PASSWORD",
    "TF_HTTP_PASSWORD",
    "PGPASSWORD",
  ];
  assert.deepEqual(names.filter(carriesCredentials), names);
});

it("other variables are the user's", () => {
  const names = ["TF_LOG", "TF_LOG_CORE", "TF_LOG_PROVIDER", "TF_REGISTRY_CLIENT_TIMEOUT", "AWS_REGION", "HTTPS_PROXY"];
  assert.deepEqual(names.filter(isReservedVariable), []);
  assert.deepEqual(names.filter(carriesCredentials), []);
});

it("names have letters, digits and underscores, and no digit first", () => {
  assert.deepEqual(["A", "_a1", "", "1A", "A-B", "A B", "Ä", "A=B", "A\n"].filter(isVariableName), ["A", "_a1"]);
});
