import type { Diagnostic } from "../diagnostic.ts";
import type {
  Decorator,
  Expression,
  ExtendsDeclaration,
  ForExpression,
  FunctionArgument,
  FunctionCall,
  InstanceFunctionCall,
  Node,
  NodeOf,
  ObjectExpression,
  ObjectProperty,
  ParenthesizedExpression,
  Statement,
  StringExpression,
  TypeExpression,
  UsingDeclaration,
} from "../syntax/index.ts";
import type {
  DecoratorDefinition,
  FunctionOverload,
  NamespaceType,
  ResourceReference,
  ResourceType,
  Type,
  TypeProperty,
} from "../types/index.ts";
import type { ExtensionNamespace, SourceFile } from "./environment.ts";
import type { ListedKind } from "./node-lists.ts";
import type {
  AssertSymbol,
  BicepSymbol,
  DeclaredSymbol,
  ExtensionConfigurationSymbol,
  ExtensionSymbol,
  FunctionSymbol,
  ImportedSymbol,
  MetadataSymbol,
  ModuleSymbol,
  OutputSymbol,
  ParameterAssignmentSymbol,
  ParameterSymbol,
  ResourceSymbol,
  TestSymbol,
  TypeSymbol,
  VariableSymbol,
  WildcardSymbol,
} from "./symbols.ts";
import type { TemplateExport, TemplateSource } from "./template-source.ts";

/** What one file means. Answers are worked out when first asked for and kept; nothing here throws. */
export interface SemanticModel {
  readonly file: SourceFile;
  /** `ScopeFlags`, one bit; resource group unless the file says otherwise. */
  readonly targetScope: number;
  readonly declarations: Declarations;

  /** What a name, access, call, declaration or local variable node stands for; nothing when it stands for no symbol. */
  symbolOf(node: Node): BicepSymbol | undefined;
  /** Every node that refers to a symbol (its declaration not included), in source order. */
  referencesTo(symbol: BicepSymbol): readonly Node[];
  /** The symbols on a cycle through this one, itself first; nothing when it is on none. */
  cycleOf(symbol: BicepSymbol): readonly DeclaredSymbol[] | undefined;
  parentOf(node: Node): Node | undefined;
  /** The nodes of a kind in source order; those in text that did not parse are left out. */
  nodesOf<K extends ListedKind>(kind: K): readonly NodeOf<K>[];
  /** Which declarations the expressions of a declaration mention, each as often as it does; types are left out. */
  mentionsOf(symbol: DeclaredSymbol): readonly DeclaredSymbol[];
  /** Whether a declaration calls a method, or a function whose result only the run shows. */
  callsAtRunTime(symbol: DeclaredSymbol): boolean;

  typeOf(expression: Expression): Type;
  typeOfTypeExpression(type: TypeExpression): Type;
  typeOfSymbol(symbol: BicepSymbol): Type;
  /** The type that is expected where an expression, an object property or a declaration stands, if any is. */
  declaredTypeOf(node: Node): Type | undefined;
  /** What the expected object type says about a property that is written in an object. */
  declaredPropertyOf(property: ObjectProperty): TypeProperty | undefined;

  resourceOf(symbol: ResourceSymbol): ResourceInfo;
  moduleOf(symbol: ModuleSymbol | TestSymbol): ModuleInfo;
  /** What an imported item stands for; nothing when the import failed. */
  importOf(symbol: ImportedSymbol): { readonly source: TemplateSource; readonly exported: TemplateExport } | undefined;
  wildcardOf(symbol: WildcardSymbol): TemplateSource | undefined;
  extensionOf(symbol: ExtensionSymbol): ExtensionNamespace | undefined;
  /** The template that a parameters file is for. */
  readonly usingTemplate: TemplateSource | undefined;
  /** The parameters file that this one extends. */
  readonly baseParameters: SemanticModel | undefined;

  /** The decorators of a statement, type property or tuple item that are valid, in source order. */
  decoratorsOf(node: Node): readonly ResolvedDecorator[];
  /** The first valid decorator of the namespace `sys` with this name. */
  decoratorOf(node: Node, name: string): ResolvedDecorator | undefined;
  /** How a call to a built-in or user-defined function was understood; nothing when it was not. */
  callOf(call: FunctionCall | InstanceFunctionCall): ResolvedCall | undefined;
  /** Whether a resource or module may be left out of the deployment by a condition. */
  mayBeDisabled(symbol: ResourceSymbol | ModuleSymbol): boolean;
  /** Whether the text below a node did not parse. */
  hasParseErrors(node: Node): boolean;

  /** What this file offers to others. `hasErrors` is given by the owner of the model. */
  asTemplate(hasErrors: () => boolean): TemplateSource;

  /** What the binder and the checker found: names and types, neither syntax nor emit limits nor the linter. */
  diagnostics(): readonly Diagnostic[];
}

/** The declarations of a file in source order; duplicates are all there. */
export interface Declarations {
  readonly all: readonly DeclaredSymbol[];
  readonly parameters: readonly ParameterSymbol[];
  readonly variables: readonly VariableSymbol[];
  readonly types: readonly TypeSymbol[];
  readonly functions: readonly FunctionSymbol[];
  /** Top-level ones; `allResources` has the nested ones too. */
  readonly resources: readonly ResourceSymbol[];
  /** Each followed by those inside of it. */
  readonly allResources: readonly ResourceSymbol[];
  readonly modules: readonly ModuleSymbol[];
  readonly outputs: readonly OutputSymbol[];
  readonly metadata: readonly MetadataSymbol[];
  readonly asserts: readonly AssertSymbol[];
  readonly tests: readonly TestSymbol[];
  readonly imports: readonly ImportedSymbol[];
  readonly wildcards: readonly WildcardSymbol[];
  readonly extensions: readonly ExtensionSymbol[];
  readonly parameterAssignments: readonly ParameterAssignmentSymbol[];
  readonly extensionConfigurations: readonly ExtensionConfigurationSymbol[];
  readonly using: UsingDeclaration | undefined;
  readonly extends: ExtendsDeclaration | undefined;
  readonly statements: readonly Statement[];
}

export interface ResourceInfo {
  readonly symbol: ResourceSymbol;
  readonly typeNode: StringExpression | undefined;
  /** The full type: a nested resource's includes its ancestors'. As the type library spells it, else as written. */
  readonly reference: ResourceReference | undefined;
  /** Nothing when the type string is not valid; the body is then not typed. */
  readonly type: ResourceType | undefined;
  /** The extension that the type belongs to; nothing for Azure. */
  readonly extension: ExtensionSymbol | undefined;
  readonly isAzure: boolean;
  readonly existing: boolean;
  /** The object inside of loop and condition. */
  readonly body: ObjectExpression | undefined;
  readonly condition: ParenthesizedExpression | undefined;
  readonly loop: ForExpression | undefined;
  /** The values of the body's `name` and `scope` properties. */
  readonly name: Expression | undefined;
  readonly scope: Expression | undefined;
  readonly parent: ResourceParent | undefined;
}

/** The resource that another is a child of, by standing in its body or by the `parent` property. */
export interface ResourceParent {
  readonly kind: "nested" | "property";
  readonly symbol: ResourceSymbol;
  /** `parent: loop[index]` */
  readonly index: Expression | undefined;
  /** The value of the `parent` property. */
  readonly expression: Expression | undefined;
}

export interface ModuleInfo {
  readonly symbol: ModuleSymbol | TestSymbol;
  readonly path: string | undefined;
  readonly pathNode: StringExpression | undefined;
  readonly template: TemplateSource | undefined;
  /** The resource that holds the template, when the path names a template specification. */
  readonly templateSpecId: string | undefined;
  readonly body: ObjectExpression | undefined;
  readonly condition: ParenthesizedExpression | undefined;
  readonly loop: ForExpression | undefined;
  readonly name: Expression | undefined;
  readonly scope: Expression | undefined;
  /** The value of `params`, if it is an object literal. */
  readonly params: ObjectExpression | undefined;
}

export interface ResolvedDecorator {
  readonly node: Decorator;
  readonly definition: DecoratorDefinition;
  /** The extension or namespace that defines it. */
  readonly namespace: NamespaceType;
  readonly overload: FunctionOverload;
  readonly args: readonly FunctionArgument[];
}

export interface ResolvedCall {
  readonly overload: FunctionOverload;
  /** What the call yields. */
  readonly type: Type;
  /** The function: a declaration, an import, a built-in, or a method of the target. */
  readonly symbol: FunctionSymbol | ImportedSymbol | undefined;
  /** The namespace of a built-in function. */
  readonly namespace: NamespaceType | undefined;
}
