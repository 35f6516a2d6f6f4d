import type { JsonObject } from "@rad/core";
import { inGroup } from "../../testing/ids.ts";
import { allExtensions } from "../../testing/extensions.ts";

const store = inGroup("Applications.Core/secretStores/git");

export const fullBodies: readonly JsonObject[] = [
  {
    compute: {
      kind: "kubernetes",
      namespace: "default",
      resourceId: "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/c",
      identity: {
        kind: "azure.com.workload",
        oidcIssuer: "https://issuer.example/oidc",
        resource: "/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i",
        managedIdentity: ["/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/identities/i"],
      },
    },
    providers: {
      azure: { scope: "/subscriptions/s/resourceGroups/g" },
      aws: { scope: "/planes/aws/aws/accounts/1/regions/eu-west-1" },
    },
    simulated: true,
    recipes: {
      "Applications.Datastores/redisCaches": {
        default: {
          templateKind: "bicep",
          templatePath: "registry.example/redis:1",
          plainHttp: true,
          parameters: { size: 1 },
        },
        large: { templateKind: "terraform", templatePath: "example/redis/azure", templateVersion: "1.2.0" },
      },
    },
    recipeConfig: {
      terraform: {
        authentication: { git: { pat: { "git.example": { secret: store } } } },
        providers: { azurerm: [{ alias: "a", features: {}, secrets: { client_secret: { source: store, key: "k" } } }] },
      },
      bicep: { authentication: { "registry.example": { secret: store } } },
      env: { TF_LOG: "INFO" },
      envSecrets: { TOKEN: { source: store, key: "k" } },
    },
    terraformSettings: inGroup("Radius.Core/terraformSettings/tf"),
    bicepSettings: inGroup("Radius.Core/bicepSettings/bicep"),
    extensions: allExtensions,
  },
  { compute: { kind: "aci", resourceGroup: "/subscriptions/s/resourceGroups/g" } },
];
