import type { JsonObject } from "@rad/core";
import { inGroup } from "../../testing/ids.ts";

const identity = {
  kind: "userAssigned",
  oidcIssuer: "https://issuer.example",
  resource: "/identities/i",
  managedIdentity: ["/identities/i"],
};

export const fullBodies: readonly JsonObject[] = [
  {
    recipePacks: [inGroup("Radius.Core/recipePacks/pack"), "other"],
    recipeParameters: { "Radius.Data/redisCaches": { sku: "Basic" } },
    providers: {
      azure: { subscriptionId: "s", resourceGroupName: "g", identity },
      aws: { accountId: "1", region: "eu-west-1" },
      kubernetes: { namespace: "default" },
    },
    terraformSettings: inGroup("Radius.Core/terraformSettings/tf"),
    bicepSettings: inGroup("Radius.Core/bicepSettings/bicep"),
    recipeConfig: { terraform: {} },
    simulated: true,
  },
  { compute: { kind: "kubernetes", namespace: "prod-apps", resourceId: "/clusters/c", identity } },
  { compute: { kind: "aci", resourceGroup: "/subscriptions/s/resourceGroups/g" } },
];
