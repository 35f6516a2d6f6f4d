import assert from "node:assert/strict";
import { it } from "node:test";
import { ResourceId } from "@rad/core";
import { recipeContext } from "./recipe-context.ts";

const resourceId = ResourceId.parse(
  "/planes/radius/local/resourceGroups/default/providers/Applications.Datastores/redisCaches/cache",
);
const environmentId = ResourceId.parse(
  "/planes/radius/local/resourceGroups/g/providers/Applications.Core/environments/env",
);
const applicationId = ResourceId.parse(
  "/planes/radius/local/resourceGroups/g/providers/Applications.Core/applications/app",
);
const kubernetes = { kind: "kubernetes", namespace: "ns", environmentNamespace: "envns" } as const;
const bare = { resourceId, properties: {}, connections: [], environmentId, applicationId: undefined };

it("the context has every field", () => {
  const context = recipeContext({
    resourceId,
    properties: { size: "S" },
    connections: [{ name: "db", id: environmentId, properties: { host: "h" } }],
    environmentId,
    applicationId,
    configuration: {
      runtime: kubernetes,
      azureScope: "/subscriptions/s/resourceGroups/rg",
      awsScope: "/planes/aws/aws/accounts/123456789012/regions/us-west-2",
    },
  });

  assert.deepEqual(context, {
    resource: {
      name: "cache",
      id: resourceId.toString(),
      type: "Applications.Datastores/redisCaches",
      properties: { size: "S" },
      connections: {
        db: {
          name: "env",
          id: environmentId.toString(),
          type: "Applications.Core/environments",
          properties: { host: "h" },
        },
      },
    },
    application: { name: "app", id: applicationId.toString() },
    environment: { name: "env", id: environmentId.toString() },
    runtime: { kubernetes: { namespace: "ns", environmentNamespace: "envns" } },
    azure: {
      resourceGroup: { name: "rg", id: "/subscriptions/s/resourceGroups/rg" },
      subscription: { subscriptionId: "s", id: "/subscriptions/s" },
      resourceNameHash: "d1dd9e9ac13479fc",
    },
    aws: { region: "us-west-2", account: "123456789012" },
  });
});

it("what is absent is left out, but for the application, whose fields are empty", () => {
  assert.deepEqual(recipeContext({ ...bare, configuration: { runtime: { kind: "aci" } } }), {
    resource: { name: "cache", id: resourceId.toString(), type: "Applications.Datastores/redisCaches" },
    application: { name: "", id: "" },
    environment: { name: "env", id: environmentId.toString() },
    runtime: { azureContainerInstances: {} },
  });
});

for (const scope of [{ azureScope: "/nowhere" }, { awsScope: "/planes/aws/aws/accounts/1" }]) {
  it(`${Object.values(scope).join("")} is refused as a scope`, () => {
    assert.throws(() => recipeContext({ ...bare, configuration: { runtime: kubernetes, ...scope } }), {
      code: "RecipeConfigurationFailure",
      message: /^failed to parse the \w+ scope/,
    });
  });
}
