import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonValue } from "@rad/core";
import {
  classic,
  group,
  inAzure,
  plan,
  outputs,
  problems,
  symbolic,
  valueOf,
  type Options,
} from "./testing/plan-kit.ts";

const surroundings = {
  resourceGroup: { location: "westus2", tags: { team: "a" } },
  tenant: { tenantId: "t1" },
  deployer: { objectId: "o1" },
  providers: [{ namespace: "A.B", resourceTypes: [{ resourceType: "c", locations: ["x"], apiVersions: ["1"] }] }],
  zones: { "A.B/c": { westus2: ["1", "2", "3"] } },
  zoneMappings: { westus2: { "1": "westus2-az1", "2": "westus2-az2" } },
};

const azure: Options = { ...inAzure, surroundings };

const table: readonly (readonly [string, JsonValue, Options])[] = [
  ["[deployment().name]", "main", {}],
  ["[deployment().properties.mode]", "Incremental", {}],
  ["[deployment().properties.template.contentVersion]", "1.0.0.0", {}],
  ["[resourceGroup().id]", group, {}],
  ["[resourceGroup().name]", "demo", {}],
  ["[resourceGroup().location]", "global", {}],
  ["[resourceGroup().id]", "/subscriptions/s1/resourceGroups/g1", azure],
  ["[resourceGroup().location]", "westus2", azure],
  ["[resourceGroup().tags.team]", "a", azure],
  ["[subscription().subscriptionId]", "s1", azure],
  ["[subscription().tenantId]", "t1", azure],
  ["[tenant().tenantId]", "t1", azure],
  ["[deployer().objectId]", "o1", azure],
  ["[deployer().objectId]", "", {}],
  ["[environment().suffixes.storage]", "core.windows.net", {}],
  ["[resourceId('A.B/c', 'x')]", `${group}/providers/A.B/c/x`, {}],
  ["[resourceId('A.B/c', 'x')]", "/subscriptions/s1/resourceGroups/g1/providers/A.B/c/x", azure],
  ["[resourceId('g2', 'A.B/c', 'x')]", "/subscriptions/s1/resourceGroups/g2/providers/A.B/c/x", azure],
  ["[subscriptionResourceId('A.B/c', 'x')]", "/subscriptions/s1/providers/A.B/c/x", azure],
  ["[tenantResourceId('A.B/c', 'x')]", "/providers/A.B/c/x", {}],
  ["[extensionResourceId('/base', 'A.B/c', 'x')]", "/base/providers/A.B/c/x", {}],
  ["[providers('a.b', 'C').apiVersions[0]]", "1", azure],
  ["[pickZones('A.B', 'c', 'westus2', 2, 1)]", ["2", "3"], azure],
  ["[pickZones('A.B', 'd', 'westus2')]", [], azure],
  ["[toPhysicalZone('s1', 'West US 2', '2')]", "westus2-az2", azure],
  ["[toLogicalZones('s1', 'westus2', createArray('westus2-az1'))]", ["1"], azure],
];

for (const [expression, expected, options] of table) {
  it(`gives ${JSON.stringify(expected)} for ${expression} ${options === azure ? "in Azure" : "in a group of ours"}`, () => {
    assert.deepEqual(valueOf(expression, {}, options), expected);
  });
}

const refused: readonly (readonly [string, string])[] = [
  ["[subscription().id]", "MissingScope"],
  ["[managementGroup().id]", "MissingScope"],
  ["[subscriptionResourceId('A.B/c', 'x')]", "InvalidArgument"],
  ["[providers('None')]", "InvalidArgument"],
  ["[pickZones('A.B', 'c', 'westus2')]", "Unsupported"],
  ["[roleDefinitions('Reader')]", "Unsupported"],
];

for (const [expression, reason] of refused) {
  it(`cannot answer ${expression} without Azure`, () => {
    const found = problems(symbolic({ parameters: { p: { defaultValue: expression } } }));

    assert.deepEqual(found, [`${reason} $.parameters.p.defaultValue`]);
  });
}

it("answers for the scope that the template is one for", () => {
  const template = (name: string) =>
    classic({
      $schema: `https://schema.management.azure.com/schemas/2019-08-01/${name}.json#`,
      outputs: { id: { value: "[resourceId('A.B/c', 'x')]" }, location: { value: "[deployment().location]" } },
    });
  const at = (az: string): Options => ({
    scopes: { radius: group, deployments: group, az },
    deployment: { name: "d", location: "west" },
  });

  const subscription = outputs(
    plan(template("subscriptionDeploymentTemplate"), at("/subscriptions/s1/resourceGroups/g1")),
  );
  const tenant = outputs(plan(template("tenantDeploymentTemplate"), at("/")));

  assert.deepEqual(
    [subscription["id"]?.value, subscription["location"]?.value],
    ["/subscriptions/s1/providers/A.B/c/x", "west"],
  );
  assert.equal(tenant["id"]?.value, "/providers/A.B/c/x");
  assert.deepEqual(problems(template("managementGroupDeploymentTemplate"), at("/")), ["MissingScope $.$schema"]);
  assert.deepEqual(problems(classic({}), at("/elsewhere")), ["MissingScope scopes.az"]);
});
