import { arrayOf } from "./collections.ts";
import { dependencyType, parentOf, resourceOf, scopeOf } from "./declarations.ts";
import { PropertyFlags, ScopeFlags } from "./flags.ts";
import { FunctionFlags } from "./function-model.ts";
import type { FunctionTable } from "./function-model.ts";
import { functionTable, overload, parameter } from "./function-table.ts";
import type { ObjectType, ResourceType, Type, TypeProperty } from "./model.ts";
import { additionalOf, anyObject, objectOf, openObject, propertyOf, withPropertyFlags } from "./objects.ts";
import type { ResourceReference } from "./resource-reference.ts";
import { anyType, boolType, intType, secureString, stringLiteral, stringType } from "./scalars.ts";

const { DeployTimeConstant, ReadOnly, ReadableAtDeployTime, Required, System, WriteOnly, DisallowAny, LoopVariant } =
  PropertyFlags;

/** Where an Azure resource may be deployed when nothing is known about its type. */
const azureScopes: number =
  ScopeFlags.Tenant |
  ScopeFlags.ManagementGroup |
  ScopeFlags.Subscription |
  ScopeFlags.ResourceGroup |
  ScopeFlags.Resource;

export interface AzureResourceOptions {
  readonly existing: boolean;
  /** Declared inside of its parent's body, which leaves no place for `parent`. */
  readonly nested: boolean;
  /** The experimental feature of that name: tags and sku may hold what only the run shows. */
  readonly runtimeValuesInTagsAndSku?: boolean;
}

/**
 * The type of an Azure resource that no package defines. It has the members that all Azure resources share, and is
 * open for the rest: what is not listed here is `any`, because a type library would know it.
 */
export function azureResourceType(reference: ResourceReference, options: AzureResourceOptions): ResourceType {
  const { existing, nested, runtimeValuesInTagsAndSku = false } = options;
  const key = `${reference.text} ${existing} ${nested} ${runtimeValuesInTagsAndSku}`;
  let type = recentTypes.get(key);
  if (type === undefined) {
    type = makeType(reference, options);
    if (recentTypes.size >= maxRecentTypes) {
      recentTypes.clear();
    }
    recentTypes.set(key, type);
  }
  return type;
}

// Files use few types again and again, and making one costs 22 properties (7 µs).
const recentTypes = new Map<string, ResourceType>();
const maxRecentTypes = 500;

function makeType(reference: ResourceReference, options: AzureResourceOptions): ResourceType {
  const body = objectOf(bodyProperties(reference, options), {
    name: reference.text,
    additional: additionalOf(anyType, options.existing ? ReadOnly : 0),
    methods: isKeyVault(reference) ? keyVaultMethods : listMethods,
  });
  return resourceOf({ reference, extension: "az", body, validScopes: azureScopes });
}

function* bodyProperties(reference: ResourceReference, options: AzureResourceOptions): Iterable<TypeProperty> {
  const fixed = ReadOnly | System | DeployTimeConstant | ReadableAtDeployTime;
  yield propertyOf("id", stringType, fixed);
  yield propertyOf("type", stringLiteral(reference.type), fixed);
  yield propertyOf("apiVersion", stringLiteral(reference.version ?? ""), fixed);
  const name = Required | System | DeployTimeConstant | ReadableAtDeployTime | LoopVariant;
  yield propertyOf("name", stringType, name | PropertyFlags.ResourceIdentifier);
  yield propertyOf("dependsOn", dependsOnType, WriteOnly | DisallowAny | System);
  const place = WriteOnly | DeployTimeConstant | DisallowAny | LoopVariant | System;
  yield propertyOf("scope", scopeOf(azureScopes), place);
  if (reference.segments.length > 2 && !options.nested) {
    yield propertyOf("parent", parentOf(reference), place);
  }
  for (const property of commonAzureProperties) {
    if (options.existing) {
      yield withPropertyFlags(property, (property.flags & ~Required) | ReadOnly);
    } else if (options.runtimeValuesInTagsAndSku === true && (property.name === "tags" || property.name === "sku")) {
      yield withPropertyFlags(property, property.flags & ~DeployTimeConstant);
    } else {
      yield property;
    }
  }
}

export const dependsOnType: Type = arrayOf(dependencyType);

/** What any Azure resource may have besides its identity. Null leaves a property out, as with defined types. */
const commonAzureProperties: readonly TypeProperty[] = [
  optional("location", stringType, DeployTimeConstant),
  optional("tags", mapOf("tags", stringType), DeployTimeConstant),
  optional("properties", anyObject),
  optional("kind", stringType, DeployTimeConstant),
  optional("managedBy", stringType, DeployTimeConstant),
  optional("managedByExtended", arrayOf(stringType), DeployTimeConstant),
  optional("eTag", stringType),
  optional("zones", arrayOf(stringType), DeployTimeConstant),
  optional("plan", anyObject, DeployTimeConstant),
  optional(
    "sku",
    openStructure("sku", [
      optional("name", stringType),
      optional("tier", stringType),
      optional("size", stringType),
      optional("family", stringType),
      optional("model", stringType),
      optional("capacity", intType),
    ]),
    DeployTimeConstant,
  ),
  optional(
    "extendedLocation",
    openStructure("extendedLocation", [propertyOf("type", stringType, Required), optional("name", stringType)]),
    DeployTimeConstant,
  ),
  optional("placement", openObject(0, "placement"), DeployTimeConstant),
  optional(
    "scale",
    openStructure("scale", [
      propertyOf("capacity", intType, Required),
      optional("maximum", intType),
      optional("minimum", intType),
    ]),
  ),
  optional(
    "identity",
    openStructure("identity", [
      propertyOf("type", stringType, Required),
      optional("identityIds", arrayOf(stringType)),
      optional("userAssignedIdentities", openObject(0, "userAssignedIdentities")),
      optional("delegatedResources", openObject(0, "delegatedResources")),
    ]),
    DeployTimeConstant,
  ),
  optional("asserts", mapOf("asserts", boolType), DeployTimeConstant),
];

const listFunction = overload("list", {
  wildcard: true,
  parameters: [
    parameter("apiVersion", stringType, { optional: true }),
    parameter("functionValues", anyObject, { optional: true }),
  ],
  returns: anyType,
  flags: FunctionFlags.RequiresInlining,
});

const listMethods: FunctionTable = functionTable([listFunction]);

const keyVaultMethods: FunctionTable = functionTable([
  overload("getSecret", {
    parameters: [parameter("secretName", stringType), parameter("secretVersion", stringType, { optional: true })],
    returns: secureString,
    flags: FunctionFlags.SecureModuleParameterOnly,
  }),
  listFunction,
]);

function isKeyVault(reference: ResourceReference): boolean {
  return reference.type.toLowerCase() === "microsoft.keyvault/vaults";
}

function optional(name: string, type: Type, flags = 0): TypeProperty {
  return propertyOf(name, type, flags | PropertyFlags.AllowImplicitNull);
}

function mapOf(name: string, type: Type): ObjectType {
  return objectOf([], { name, additional: additionalOf(type) });
}

function openStructure(name: string, properties: readonly TypeProperty[]): ObjectType {
  return objectOf(properties, { name, additional: additionalOf(anyType) });
}
