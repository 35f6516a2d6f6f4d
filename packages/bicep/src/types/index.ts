export { isAssignable, isScopeLike } from "./assignable.ts";
export { azureResourceType, commonAzureProperties, dependsOnType } from "./azure-resource.ts";
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
  FunctionTable,
  ResultBuilder,
  VariadicParameter,
} from "./function-model.ts";
export { functionTable, overload, parameter } from "./function-table.ts";
export type { OverloadOptions, ParameterOptions } from "./function-table.ts";
export type { LiteralValue } from "./literal-value.ts";
export { isLiteral, typeOfValue, valueOfLiteral, valuesOfLiterals } from "./literals.ts";
export { lookupProperty, readableNames, writableNames } from "./lookup.ts";
export type { PropertyLookup } from "./lookup.ts";
export type {
  AdditionalProperties,
  AnyType,
  ArrayType,
  BoolLiteralType,
  BoolType,
  DependencyType,
  DiscriminatedType,
  ErrorType,
  IntLiteralType,
  IntType,
  LambdaType,
  ModuleType,
  NamespaceType,
  NeverType,
  NullType,
  ObjectType,
  ResourceParentType,
  ResourceType,
  ScopeType,
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
  discriminatedOf,
  objectOf,
  openObject,
  propertyOf,
  withObject,
  withPropertyFlags,
} from "./objects.ts";
export { opened } from "./open.ts";
export { printMember, printObject, printType, quote, scopeNames } from "./print.ts";
export { boundsOf, covers, lengthsOf } from "./ranges.ts";
export type { Range } from "./ranges.ts";
export { isAzureTypeName, isParentTypeOf, parentTypeOf, parseResourceReference } from "./resource-reference.ts";
export type { ResourceReference } from "./resource-reference.ts";
export {
  anyType,
  boolLiteral,
  boolOf,
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
