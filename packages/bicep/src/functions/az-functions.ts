import {
  anyArray,
  anyObject,
  anyType,
  arrayOf,
  FunctionFlags,
  intType,
  overload,
  parameter,
  ScopeFlags,
  secureString,
  stringType,
} from "../types/index.ts";
import type { FunctionOverload, FunctionParameter, Type } from "../types/index.ts";
import {
  deployerType,
  deploymentType,
  environmentType,
  providerResourceType,
  providerType,
  roleDefinitionType,
  scopeObject,
  scopeResult,
} from "./az-types.ts";

const { Pure, RequiresInlining, DirectAssignmentOnly, Deprecated } = FunctionFlags;
const { Tenant, ManagementGroup, Subscription, ResourceGroup } = ScopeFlags;
const everywhere = Tenant | ManagementGroup | Subscription | ResourceGroup;

/** The functions of the Azure namespace in a template that targets a scope. */
export function azFunctions(targetScope: number): FunctionOverload[] {
  return [
    overload("deployer", { returns: deployerType }),
    overload("deployment", { returns: deploymentType(targetScope) }),
    overload("environment", { returns: environmentType }),
    ...scopeFunctions(targetScope),
    ...otherFunctions,
  ];
}

/** What a parameters file may ask of Azure: the reference to a secret, never its value. */
export const azParameterFunctions: readonly FunctionOverload[] = [
  overload("getSecret", {
    parameters: [...texts("subscriptionId", "resourceGroupName", "keyVaultName", "secretName"), maybe("secretVersion")],
    returns: secureString,
    flags: DirectAssignmentOnly,
  }),
];

/** A scope function exists only where the scope it stands for can be reached. */
function scopeFunctions(targetScope: number): FunctionOverload[] {
  const candidates: [name: string, scope: number, from: number, parameters: string[]][] = [
    ["tenant", Tenant, everywhere, []],
    ["managementGroup", ManagementGroup, ManagementGroup, []],
    ["managementGroup", ManagementGroup, everywhere, ["name"]],
    ["subscription", Subscription, Subscription | ResourceGroup, []],
    ["subscription", Subscription, everywhere, ["subscriptionId"]],
    ["resourceGroup", ResourceGroup, ResourceGroup, []],
    ["resourceGroup", ResourceGroup, Subscription | ResourceGroup, ["resourceGroupName"]],
    ["resourceGroup", ResourceGroup, everywhere, ["subscriptionId", "resourceGroupName"]],
  ];
  return candidates
    .filter(([, , from]) => (from & targetScope) !== 0)
    .map(([name, scope, , parameters]) =>
      overload(name, { parameters: texts(...parameters), returns: scopeObject(scope), result: scopeResult(scope) }),
    );
}

const otherFunctions: readonly FunctionOverload[] = [
  resourceIdFunction("extensionResourceId", Pure, "resourceId"),
  resourceIdFunction("managementGroupResourceId", 0),
  resourceIdFunction("managementGroupResourceId", 0, "managementGroupId"),
  overload("pickZones", {
    parameters: [
      ...texts("providerNamespace", "resourceType", "location"),
      maybe("numberOfZones", intType),
      maybe("offset", intType),
    ],
    returns: anyArray,
  }),
  overload("providers", { parameters: texts("providerNamespace"), returns: providerType, flags: Deprecated }),
  overload("providers", {
    parameters: texts("providerNamespace", "resourceType"),
    returns: providerResourceType,
    flags: Deprecated,
  }),
  overload("reference", {
    parameters: [...texts("resourceNameOrIdentifier"), maybe("apiVersion"), maybe("full")],
    returns: anyObject,
    flags: RequiresInlining,
  }),
  resourceIdFunction("resourceId", 0),
  resourceIdFunction("resourceId", 0, "subscriptionId"),
  resourceIdFunction("resourceId", 0, "resourceGroupName"),
  resourceIdFunction("resourceId", 0, "subscriptionId", "resourceGroupName"),
  overload("roleDefinitions", { parameters: texts("roleName"), returns: roleDefinitionType }),
  resourceIdFunction("subscriptionResourceId", 0),
  resourceIdFunction("subscriptionResourceId", 0, "subscriptionId"),
  resourceIdFunction("tenantResourceId", Pure),
  zoneFunction("toLogicalZone", parameter("physicalZone", stringType), stringType),
  zoneFunction("toLogicalZones", parameter("physicalZones", anyArray), arrayOf(stringType)),
  zoneFunction("toPhysicalZone", parameter("logicalZone", stringType), stringType),
  zoneFunction("toPhysicalZones", parameter("logicalZones", anyArray), arrayOf(stringType)),
  overload("list", {
    wildcard: true,
    parameters: [...texts("resourceNameOrIdentifier", "apiVersion"), maybe("functionValues", anyObject)],
    returns: anyType,
    flags: RequiresInlining,
  }),
];

/** Leading arguments, a resource type, and a name for each of its segments. */
function resourceIdFunction(name: string, flags: number, ...leading: string[]): FunctionOverload {
  return overload(name, {
    parameters: texts(...leading, "resourceType"),
    variadic: { namePrefix: "resourceName", type: stringType, minimum: 1 },
    returns: stringType,
    flags,
  });
}

function zoneFunction(name: string, zone: FunctionParameter, returns: Type): FunctionOverload {
  return overload(name, {
    parameters: [...texts("subscriptionId", "location"), zone],
    returns,
    flags: RequiresInlining,
  });
}

function texts(...names: string[]): FunctionParameter[] {
  return names.map((name) => parameter(name, stringType));
}

function maybe(name: string, type: Type = stringType): FunctionParameter {
  return parameter(name, type, { optional: true });
}
