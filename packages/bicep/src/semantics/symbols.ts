import type { Diagnostic, Span } from "../diagnostic.ts";
import type {
  AssertDeclaration,
  ExtendsDeclaration,
  ExtensionConfiguration,
  ExtensionDeclaration,
  ForExpression,
  FunctionDeclaration,
  Identifier,
  ImportDeclaration,
  ImportedSymbol as ImportedSymbolNode,
  Lambda,
  LocalVariable,
  MetadataDeclaration,
  ModuleDeclaration,
  OutputDeclaration,
  ParameterAssignment,
  ParameterDeclaration,
  ResourceDeclaration,
  TestDeclaration,
  TypeDeclaration,
  TypedLambda,
  TypedParameter,
  VariableDeclaration,
  WildcardImport,
} from "../syntax/index.ts";
import type { DecoratorDefinition, FunctionOverload, NamespaceType, Type } from "../types/index.ts";

/** Everything that a name can stand for. Symbols are compared by identity; each belongs to one model. */
export type BicepSymbol =
  | DeclaredSymbol
  | LocalSymbol
  | NamespaceSymbol
  | AmbientTypeSymbol
  | BuiltInFunctionSymbol
  | BaseParametersSymbol
  | ErrorSymbol;

/** What a statement (or a nested resource, or an item of an import list) introduces. */
export type DeclaredSymbol =
  | ParameterSymbol
  | VariableSymbol
  | TypeSymbol
  | FunctionSymbol
  | ResourceSymbol
  | ModuleSymbol
  | OutputSymbol
  | MetadataSymbol
  | AssertSymbol
  | TestSymbol
  | ImportedSymbol
  | WildcardSymbol
  | ExtensionSymbol
  | ParameterAssignmentSymbol
  | ExtensionConfigurationSymbol;

export interface ParameterSymbol extends Named {
  readonly kind: "parameter";
  readonly declaration: ParameterDeclaration;
}

export interface VariableSymbol extends Named {
  readonly kind: "variable";
  readonly declaration: VariableDeclaration;
}

export interface TypeSymbol extends Named {
  readonly kind: "type";
  readonly declaration: TypeDeclaration;
}

export interface FunctionSymbol extends Named {
  readonly kind: "function";
  readonly declaration: FunctionDeclaration;
}

export interface ResourceSymbol extends Named {
  readonly kind: "resource";
  readonly declaration: ResourceDeclaration;
  /** The resource whose body this one stands in. */
  readonly container: ResourceSymbol | undefined;
  /** The resources inside of its body, in source order. */
  readonly nested: readonly ResourceSymbol[];
}

export interface ModuleSymbol extends Named {
  readonly kind: "module";
  readonly declaration: ModuleDeclaration;
}

export interface OutputSymbol extends Named {
  readonly kind: "output";
  readonly declaration: OutputDeclaration;
}

export interface MetadataSymbol extends Named {
  readonly kind: "metadata";
  readonly declaration: MetadataDeclaration;
}

export interface AssertSymbol extends Named {
  readonly kind: "assert";
  readonly declaration: AssertDeclaration;
}

export interface TestSymbol extends Named {
  readonly kind: "test";
  readonly declaration: TestDeclaration;
}

/** One item of `import { … } from`. What it stands for: `SemanticModel.importOf`. */
export interface ImportedSymbol extends Named {
  readonly kind: "imported";
  readonly declaration: ImportedSymbolNode;
  readonly statement: ImportDeclaration;
  /** The name in the file it comes from. */
  readonly originalName: string;
}

/** `import * as name from`. What it gives access to: `SemanticModel.wildcardOf`. */
export interface WildcardSymbol extends Named {
  readonly kind: "wildcard";
  readonly declaration: WildcardImport;
  readonly statement: ImportDeclaration;
}

/** `extension …`. Its namespace: `SemanticModel.extensionOf`. */
export interface ExtensionSymbol extends Named {
  readonly kind: "extension";
  readonly declaration: ExtensionDeclaration;
}

/** `param name = value` of a parameters file. */
export interface ParameterAssignmentSymbol extends Named {
  readonly kind: "parameterAssignment";
  readonly declaration: ParameterAssignment;
}

/** `extensionConfig name with …` of a parameters file. Cannot be referenced. */
export interface ExtensionConfigurationSymbol extends Named {
  readonly kind: "extensionConfiguration";
  readonly declaration: ExtensionConfiguration;
}

/** A variable of a loop, or a parameter of a lambda or of a function declaration. */
export interface LocalSymbol extends Named {
  readonly kind: "local";
  readonly role: "item" | "index" | "lambda" | "functionParameter";
  readonly declaration: LocalVariable | TypedParameter;
  /** What declares it. */
  readonly owner: ForExpression | Lambda | TypedLambda;
  /** Its place among the variables of its owner. */
  readonly position: number;
}

/** `sys`, `az` and `this`. */
export interface NamespaceSymbol {
  readonly kind: "namespace";
  readonly name: string;
  readonly type: NamespaceType;
}

/** A type that needs no declaration, such as `string`. */
interface AmbientTypeSymbol {
  readonly kind: "ambientType";
  readonly name: string;
  readonly namespace: NamespaceType;
  readonly type: Type;
}

export interface BuiltInFunctionSymbol {
  readonly kind: "builtInFunction";
  readonly name: string;
  readonly namespace: NamespaceType;
  readonly overloads: readonly FunctionOverload[];
  /** Set when the name is used as a decorator. */
  readonly decorator: DecoratorDefinition | undefined;
}

/** `base` in a parameters file that extends another. */
export interface BaseParametersSymbol {
  readonly kind: "baseParameters";
  readonly name: "base";
  readonly declaration: ExtendsDeclaration;
}

/** A name that stands for nothing; says why. */
export interface ErrorSymbol {
  readonly kind: "error";
  readonly name: string;
  readonly diagnostic: Diagnostic | undefined;
}

interface Named {
  readonly name: string;
  /** The node of the name; imported items without an alias have the original one. */
  readonly nameNode: Identifier | (Span & { readonly kind: string });
}
