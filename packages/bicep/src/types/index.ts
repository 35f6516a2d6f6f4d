export { isAssignable } from "./assignable.ts";
export { azureResourceType, dependsOnType } from "./azure-resource.ts";
export type { AzureResourceOptions } from "./azure-resource.ts";
export { collapse, collapsedUnionOf } from "./collapse.ts";
export { anyArray, arrayOf, lambdaOf, tupleOf } from "./collections.ts";
export { dependencyType, moduleOf, namespaceOf, parentOf, resourceOf, scopeOf, testOf } from "./declarations.ts";
export { defer } from "./deferred.ts";
export type { TypeSource } from "./deferred.ts";
export { anyScope, PropertyFlags, ScopeFlags, TypeFlags } from "./flags.ts";
export { DecoratorTargets, FunctionFlags } from "./function-model.ts";
export type {
  Call,
  CallHost,
  CallProblem,
  CallResult,
  DecoratorCheck,
  DecoratorDefinition,
  FileContent,
  FileLoader,
  FileRequest,
  FoldHost,
  FunctionOverload,
  FunctionParameter,
  ResultBuilder,
} from "./function-model.ts";
export { functionTable, overload, parameter } from "./function-table.ts";
export type { OverloadOptions, ParameterOptions } from "./function-table.ts";
export type { LiteralValue } from "./literal-value.ts";
export { isLiteral, typeOfValue, valueOfLiteral, valuesOfLiterals } from "./literals.ts";
export { lookupProperty } from "./lookup.ts";
export type {
  AdditionalProperties,
  ArrayType,
  DiscriminatedType,
  ErrorType,
  IntLiteralType,
  IntType,
  LambdaType,
  ModuleType,
  NamespaceType,
  ObjectType,
  ResourceType,
  ScopeValue,
  StringLiteralType,
  StringType,
  TestType,
  TupleType,
  Type,
  TypeProperty,
  UnionType,
} from "./model.ts";
export { moduleType, testType } from "./module-body.ts";
export type { ModuleOptions } from "./module-body.ts";
export {
  additionalOf,
  anyObject,
  closedObjectOf,
  discriminatedOf,
  objectOf,
  openObject,
  propertyOf,
  withObject,
  withPropertyFlags,
} from "./objects.ts";
export { opened } from "./open.ts";
export { printObject, printType, quote, scopeNames } from "./print.ts";
export { boundsOf, lengthsOf } from "./ranges.ts";
export type { Range } from "./ranges.ts";
export { isAzureTypeName, isParentTypeOf, parentTypeOf, parseResourceReference } from "./resource-reference.ts";
export type { ResourceReference } from "./resource-reference.ts";
export {
  anyType,
  boolLiteral,
  boolType,
  errorType,
  falseType,
  intLiteral,
  intOf,
  intType,
  looseBool,
  looseInt,
  looseString,
  maxInt,
  minInt,
  neverType,
  nullType,
  secureString,
  silentError,
  stringLiteral,
  stringOf,
  stringType,
  trueType,
  unreadable,
} from "./scalars.ts";
export { suggestSpelling } from "./spelling.ts";
export { isNullable, membersOf, nullable, unionOf, withoutNull } from "./union.ts";
export { hasFlag, withFlags } from "./with-flags.ts";
