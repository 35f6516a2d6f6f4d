import {
  additionalOf,
  anyObject,
  arrayOf,
  intType,
  nullable,
  objectOf,
  propertyOf,
  ScopeFlags,
  stringType,
} from "../types/index.ts";
import type { Call, CallResult, ObjectType, Type, TypeProperty } from "../types/index.ts";
import { plain } from "./results.ts";

// What the functions of the Azure namespace return.

export const deployerType = texts("deployer", ["tenantId", "objectId", "userPrincipalName"]);

export const environmentType = structure("environment", {
  name: stringType,
  portal: stringType,
  gallery: stringType,
  graph: stringType,
  graphAudience: stringType,
  media: stringType,
  batch: stringType,
  resourceManager: stringType,
  sqlManagement: stringType,
  vmImageAliasDoc: stringType,
  activeDirectoryDataLake: stringType,
  authentication: structure("authenticationProperties", {
    audiences: arrayOf(stringType),
    identityProvider: stringType,
    loginEndpoint: stringType,
    tenant: stringType,
  }),
  suffixes: texts("suffixesProperties", [
    "acrLoginServer",
    "azureDatalakeAnalyticsCatalogAndJob",
    "azureDatalakeStoreFileSystem",
    "azureFrontDoorEndpointSuffix",
    "keyvaultDns",
    "sqlServerHostname",
    "storage",
  ]),
});

export const providerResourceType = structure("ProviderResource", {
  resourceType: stringType,
  locations: arrayOf(stringType),
  apiVersions: arrayOf(stringType),
});

export const providerType = structure("Provider", {
  namespace: stringType,
  resourceTypes: arrayOf(providerResourceType),
});

export const roleDefinitionType = texts("roleDefinition", ["id", "roleDefinitionId"]);

/** The deployment has a location of its own unless it is in a resource group. */
export function deploymentType(targetScope: number): ObjectType {
  const members: Record<string, Type> = {
    name: stringType,
    properties: structure("properties", {
      template: structure("template", { contentVersion: stringType, metadata: anyObject }),
      templateLink: texts("templateLink", ["id", "uri"]),
    }),
  };
  if ((targetScope & ScopeFlags.ResourceGroup) === 0) {
    members["location"] = stringType;
  }
  return structure("deployment", members);
}

/**
 * What a scope function gives. Called without arguments it is the scope of the deployment, whose properties can be
 * read; called with arguments it only says where something goes.
 */
export function scopeResult(scope: number): (call: Call) => CallResult {
  return (call) => {
    const current = call.argumentNodes.length === 0;
    return plain(
      objectOf(current ? scopeProperties(scope) : [], {
        name: scopeName(scope),
        scope: { scope, arguments: call.argumentNodes },
      }),
    );
  };
}

/** The scope as signatures name it. */
export function scopeObject(scope: number): ObjectType {
  return objectOf(scopeProperties(scope), { name: scopeName(scope), scope: { scope, arguments: [] } });
}

const propertiesByScope = new Map<number, readonly TypeProperty[]>([
  [
    ScopeFlags.Tenant,
    properties({ tenantId: stringType, country: stringType, countryCode: stringType, displayName: stringType }),
  ],
  [
    ScopeFlags.ManagementGroup,
    properties({
      id: stringType,
      name: stringType,
      type: stringType,
      properties: structure("properties", {
        tenantId: stringType,
        displayName: stringType,
        details: structure("details", {
          version: intType,
          updatedTime: stringType,
          updatedBy: stringType,
          parent: texts("parent", ["id", "name", "displayName"]),
        }),
      }),
    }),
  ],
  [
    ScopeFlags.Subscription,
    properties({ id: stringType, subscriptionId: stringType, tenantId: stringType, displayName: stringType }),
  ],
  [
    ScopeFlags.ResourceGroup,
    properties({
      id: stringType,
      name: stringType,
      type: stringType,
      location: stringType,
      managedBy: nullable(stringType),
      tags: objectOf([], { name: "tags", additional: additionalOf(stringType) }),
      properties: texts("properties", ["provisioningState"]),
    }),
  ],
]);

function scopeProperties(scope: number): readonly TypeProperty[] {
  return propertiesByScope.get(scope) ?? [];
}

function scopeName(scope: number): string {
  switch (scope) {
    case ScopeFlags.Tenant:
      return "tenant";
    case ScopeFlags.ManagementGroup:
      return "managementGroup";
    case ScopeFlags.Subscription:
      return "subscription";
    default:
      return "resourceGroup";
  }
}

function texts(name: string, names: readonly string[]): ObjectType {
  return structure(name, Object.fromEntries(names.map((member) => [member, stringType])));
}

function structure(name: string, members: Readonly<Record<string, Type>>): ObjectType {
  return objectOf(properties(members), { name });
}

function properties(members: Readonly<Record<string, Type>>): TypeProperty[] {
  return Object.entries(members).map(([name, type]) => propertyOf(name, type));
}
