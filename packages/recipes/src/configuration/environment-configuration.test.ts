import assert from "node:assert/strict";
import { it } from "node:test";
import { type JsonObject, ResourceId } from "@rad/core";
import { environmentConfiguration } from "./environment-configuration.ts";

const scope = "/planes/radius/local/resourceGroups/test/providers";
const legacy = (properties: JsonObject) => ({
  id: ResourceId.parse(`${scope}/Applications.Core/environments/e`),
  properties,
});
const radius = (properties: JsonObject) => ({
  id: ResourceId.parse(`${scope}/Radius.Core/environments/e`),
  properties,
});
const application = (properties: JsonObject) => ({
  id: ResourceId.parse(`${scope}/Applications.Core/applications/a`),
  properties,
});
const settingsId = `${scope}/Radius.Core/terraformSettings/s`;

it("an Applications.Core environment gives the namespace of the application, its scopes and its recipeConfig", () => {
  const recipeConfig = { env: { A: "b" } };
  const environment = legacy({
    compute: { kind: "kubernetes", namespace: "dev" },
    providers: { azure: { scope: "/subscriptions/s" }, aws: { scope: "/planes/aws/aws/accounts/1/regions/r" } },
    recipeConfig,
  });

  assert.deepEqual(
    environmentConfiguration(environment, application({ status: { compute: { namespace: "dev-a" } } }), undefined),
    {
      family: "Applications.Core",
      runtime: { kind: "kubernetes", namespace: "dev-a", environmentNamespace: "dev" },
      azureScope: "/subscriptions/s",
      awsScope: "/planes/aws/aws/accounts/1/regions/r",
      isSimulated: false,
      terraform: { kind: "recipeConfig", properties: recipeConfig },
    },
  );
});

it("a Radius.Core environment builds its scopes, and its recipeConfig is never used (S000-29)", () => {
  const environment = radius({
    providers: {
      kubernetes: { namespace: "apps" },
      azure: { subscriptionId: "s", resourceGroupName: "g" },
      aws: { accountId: "1", region: "r" },
    },
    simulated: true,
    recipeConfig: { env: { A: "b" } },
  });

  assert.deepEqual(environmentConfiguration(environment, undefined, undefined), {
    family: "Radius.Core",
    runtime: { kind: "kubernetes", namespace: "apps", environmentNamespace: "apps" },
    azureScope: "/subscriptions/s/resourceGroups/g",
    awsScope: "/planes/aws/aws/accounts/1/regions/r",
    isSimulated: true,
    terraform: { kind: "none" },
  });
});

it("settings win over recipeConfig entirely", () => {
  const environment = legacy({ terraformSettings: settingsId, recipeConfig: { env: { A: "b" } } });
  const { terraform } = environmentConfiguration(environment, undefined, { env: { C: "d" } });
  assert.deepEqual(terraform, { kind: "settings", id: settingsId, properties: { env: { C: "d" } } });
});

it("settings that are gone stop the run", () => {
  assert.throws(() => environmentConfiguration(radius({ terraformSettings: settingsId }), undefined, undefined), {
    code: "RecipeConfigurationFailure",
    recipeStatus: "setupError",
  });
});

it("the compute form of a Radius.Core environment names its namespace, too; container instances have none", () => {
  const compute = { kind: "kubernetes", namespace: "n" };
  const { runtime } = environmentConfiguration(radius({ compute }), undefined, undefined);
  assert.deepEqual(runtime, { kind: "kubernetes", namespace: "n", environmentNamespace: "n" });
  const aci = legacy({ compute: { kind: "aci" } });
  assert.deepEqual(environmentConfiguration(aci, undefined, undefined).runtime, { kind: "aci" });
});
