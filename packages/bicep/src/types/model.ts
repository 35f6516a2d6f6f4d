import type { Diagnostic } from "../diagnostic.ts";
import type { Expression } from "../syntax/index.ts";
import type { DecoratorDefinition, FunctionTable } from "./function-model.ts";
import type { ResourceReference } from "./resource-reference.ts";

/**
 * The types of the language. Every type is immutable; `flags` are `TypeFlags`, and `key` is equal exactly when two
 * types are equal, so that sets of types are sets of strings. Build them with the functions of `factories.ts` and
 * `union.ts`.
 */
export type Type =
  | AnyType
  | NeverType
  | ErrorType
  | NullType
  | StringType
  | IntType
  | BoolType
  | StringLiteralType
  | IntLiteralType
  | BoolLiteralType
  | ArrayType
  | TupleType
  | ObjectType
  | DiscriminatedType
  | UnionType
  | ResourceType
  | ModuleType
  | TestType
  | ScopeType
  | DependencyType
  | ResourceParentType
  | NamespaceType
  | LambdaType;

export interface AnyType extends TypeBase {
  readonly kind: "any";
}

/** The union of nothing: the type of an expression that never yields a value. */
export interface NeverType extends TypeBase {
  readonly kind: "never";
}

/** Stands for an expression that could not be typed; carries what there is to report, if anything. */
export interface ErrorType extends TypeBase {
  readonly kind: "error";
  readonly diagnostics: readonly Diagnostic[];
  /** What a union that was refused would be: a union that names it is judged by these members. */
  readonly refused?: Type;
}

export interface NullType extends TypeBase {
  readonly kind: "null";
}

export interface StringType extends TypeBase, Lengths {
  readonly kind: "string";
  readonly pattern: string | undefined;
}

export interface IntType extends TypeBase {
  readonly kind: "int";
  readonly min: bigint | undefined;
  readonly max: bigint | undefined;
}

export interface BoolType extends TypeBase {
  readonly kind: "bool";
}

export interface StringLiteralType extends TypeBase {
  readonly kind: "stringLiteral";
  readonly value: string;
}

export interface IntLiteralType extends TypeBase {
  readonly kind: "intLiteral";
  readonly value: bigint;
}

export interface BoolLiteralType extends TypeBase {
  readonly kind: "boolLiteral";
  readonly value: boolean;
}

export interface ArrayType extends Composite, Lengths {
  readonly kind: "array";
  readonly item: Type;
}

export interface TupleType extends Composite {
  readonly kind: "tuple";
  readonly items: readonly Type[];
  /** The union of the items. */
  readonly item: Type;
  /** 0 unless it is a literal; see `measure.ts`. */
  readonly literalSize: number;
}

export interface ObjectType extends Composite {
  readonly kind: "object";
  /** How the type prints. */
  readonly name: string;
  /** In the order of their names. */
  readonly properties: ReadonlyMap<string, TypeProperty>;
  /** What other properties hold; none when the object is closed. */
  readonly additional: AdditionalProperties | undefined;
  readonly methods: FunctionTable | undefined;
  /** Set on the results of `resourceGroup(..)`, `subscription(..)` and their kin, which double as scopes. */
  readonly scope: ScopeValue | undefined;
  /** 0 unless it is a literal; see `measure.ts`. */
  readonly literalSize: number;
}

export interface TypeProperty {
  readonly name: string;
  readonly type: Type;
  /** `PropertyFlags`. */
  readonly flags: number;
  readonly description: string | undefined;
}

export interface AdditionalProperties {
  readonly type: Type;
  /** `PropertyFlags`. */
  readonly flags: number;
}

/** Objects told apart by the literal value of one property. */
export interface DiscriminatedType extends Composite {
  readonly kind: "discriminated";
  readonly name: string;
  /** The property that tells the members apart. */
  readonly discriminator: string;
  /** By the value of the discriminator. */
  readonly members: ReadonlyMap<string, ObjectType>;
}

export interface UnionType extends Composite {
  readonly kind: "union";
  /** At least two, flat, without duplicates, in printing order. */
  readonly members: readonly Type[];
}

export interface ResourceType extends TypeBase {
  readonly kind: "resource";
  readonly reference: ResourceReference;
  /** The extension that declares the type; `az` for Azure. */
  readonly extension: string;
  readonly body: Type;
  /** `ScopeFlags` where it may be deployed. */
  readonly validScopes: number;
  /** `ScopeFlags` where it can only be read. */
  readonly readOnlyScopes: number;
}

export interface ModuleType extends TypeBase {
  readonly kind: "module";
  readonly body: ObjectType;
  /** `ScopeFlags` that the module's file targets. */
  readonly validScopes: number;
}

export interface TestType extends TypeBase {
  readonly kind: "test";
  readonly body: ObjectType;
}

/** The type of a `scope` property: anything that one of the scopes describes. */
export interface ScopeType extends TypeBase {
  readonly kind: "scope";
  /** `ScopeFlags`. */
  readonly scopes: number;
}

/** The type of an item of `dependsOn`: a resource, a module, or a collection of either. */
export interface DependencyType extends TypeBase {
  readonly kind: "dependency";
}

/** The type of a `parent` property. */
export interface ResourceParentType extends TypeBase {
  readonly kind: "parent";
  readonly child: ResourceReference;
}

export interface NamespaceType extends TypeBase {
  readonly kind: "namespace";
  readonly name: string;
  readonly functions: FunctionTable;
  readonly decorators: ReadonlyMap<string, DecoratorDefinition>;
  /** The types that can be named without a declaration. */
  readonly types: ReadonlyMap<string, Type>;
}

export interface LambdaType extends Composite {
  readonly kind: "lambda";
  readonly parameters: readonly Type[];
  readonly optionalParameters: readonly Type[];
  readonly result: Type;
}

/** Which scope function made an object, and with what. */
export interface ScopeValue {
  /** One of `ScopeFlags`. */
  readonly scope: number;
  readonly arguments: readonly Expression[];
}

interface TypeBase {
  readonly flags: number;
  readonly key: string;
}

interface Composite extends TypeBase {
  /** How many types are inside of one another; see `measure.ts`. */
  readonly depth: number;
}

interface Lengths {
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
}
