import { dependsOnType } from "./azure-resource.ts";
import { moduleOf, scopeOf, testOf } from "./declarations.ts";
import { PropertyFlags, ScopeFlags } from "./flags.ts";
import type { ModuleType, ObjectType, TestType, TypeProperty } from "./model.ts";
import { objectOf, openObject, propertyOf } from "./objects.ts";
import { stringLiteral, stringOf } from "./scalars.ts";
import { unionOf } from "./union.ts";

const { DeployTimeConstant, ReadOnly, ReadableAtDeployTime, Required, WriteOnly, DisallowAny, LoopVariant } =
  PropertyFlags;

export interface ModuleOptions {
  /** The parameters of the module's file; those that must be given are `Required`. */
  readonly parameters: readonly TypeProperty[];
  readonly outputs: readonly TypeProperty[];
  /** `ScopeFlags` that the module's file targets. */
  readonly targetScopes: number;
  /** The file that declares the module targets another scope, so that one must be given. */
  readonly scopeRequired: boolean;
  /** The configurable extensions of the module, when that feature is on. */
  readonly extensionConfigs?: ObjectType | undefined;
}

export function moduleType(options: ModuleOptions): ModuleType {
  return moduleOf(objectOf(moduleProperties(options), { name: "module" }), options.targetScopes);
}

export function testType(parameters: readonly TypeProperty[]): TestType {
  return testOf(objectOf([paramsProperty(parameters)], { name: "test" }));
}

function* moduleProperties(options: ModuleOptions): Iterable<TypeProperty> {
  yield propertyOf("name", deploymentName, DeployTimeConstant | ReadableAtDeployTime | LoopVariant);
  const scope = WriteOnly | DeployTimeConstant | ReadableAtDeployTime | DisallowAny | LoopVariant;
  const scopes = options.targetScopes | ScopeFlags.Resource | ScopeFlags.Module;
  yield propertyOf("scope", scopeOf(scopes), options.scopeRequired ? scope | Required : scope);
  yield paramsProperty(options.parameters);
  yield propertyOf("outputs", objectOf(options.outputs, { name: "outputs" }), ReadOnly);
  yield propertyOf("dependsOn", dependsOnType, WriteOnly | DisallowAny);
  yield propertyOf("identity", identityType, DeployTimeConstant);
  if (options.extensionConfigs !== undefined) {
    const needed = hasRequired(options.extensionConfigs.properties.values());
    yield propertyOf("extensionConfigs", options.extensionConfigs, needed ? WriteOnly | Required : WriteOnly);
  }
}

function paramsProperty(parameters: readonly TypeProperty[]): TypeProperty {
  const flags = hasRequired(parameters) ? WriteOnly | Required : WriteOnly;
  return propertyOf("params", objectOf(parameters, { name: "params" }), flags);
}

function hasRequired(properties: Iterable<TypeProperty>): boolean {
  for (const property of properties) {
    if ((property.flags & Required) !== 0) {
      return true;
    }
  }
  return false;
}

const deploymentName = stringOf({ minLength: 1, maxLength: 64, pattern: "^[-\\w._()]+$" });

const identityType = objectOf(
  [
    propertyOf("type", unionOf([stringLiteral("None"), stringLiteral("UserAssigned")]), Required),
    propertyOf("userAssignedIdentities", openObject(0, "userAssignedIdentities")),
  ],
  { name: "identity" },
);
