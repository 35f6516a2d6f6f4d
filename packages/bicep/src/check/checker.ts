import type { Diagnostic } from "../diagnostic.ts";
import type {
  BicepSymbol,
  Bindings,
  DeclaredSymbol,
  Declarations,
  ExtensionNamespace,
  ExtensionSymbol,
  ImportedSymbol,
  ModelEnvironment,
  ModuleInfo,
  ModuleSymbol,
  ResolvedCall,
  ResolvedDecorator,
  ResourceInfo,
  ResourceSymbol,
  SourceFile,
  TemplateExport,
  TemplateSource,
  TemplateUse,
  TestSymbol,
  TypeSymbol,
  WildcardSymbol,
} from "../semantics/index.ts";
import type {
  Expression,
  FunctionCall,
  IfCondition,
  InstanceFunctionCall,
  Node,
  ObjectExpression,
  ObjectProperty,
  TypeExpression,
} from "../syntax/index.ts";
import type {
  ErrorType,
  FunctionOverload,
  ModuleType,
  NamespaceType,
  ObjectType,
  ResourceType,
  TestType,
  Type,
  TypeProperty,
  TypeSource,
} from "../types/index.ts";

/** An access as a part of a longer one. */
export interface AccessChain {
  /** The type of the member, without the null that a safe link (`.?`) further left may turn the whole chain into. */
  readonly type: Type;
  readonly mayBeNull: boolean;
}

/**
 * What the parts of the checker need of each other. Each question is answered once and the answer kept, and what is
 * wrong is reported while the answer is worked out: a type that nobody asks for reports nothing. An expression that
 * could not be typed has the type `error`, which silences everything that is built on it.
 */
export interface Checker {
  readonly file: SourceFile;
  readonly environment: ModelEnvironment;
  readonly declarations: Declarations;
  readonly bindings: Bindings;
  readonly targetScope: number;
  /** Whether Azure's resource types can be used. */
  readonly hasAzure: boolean;

  report(diagnostic: Diagnostic): void;
  /** Reports, and gives the type of what the report is about. */
  fail(diagnostic: Diagnostic): ErrorType;
  feature(name: string): boolean;

  symbolOf(node: Node): BicepSymbol | undefined;
  parentOf(node: Node): Node | undefined;
  cycleOf(symbol: BicepSymbol): readonly DeclaredSymbol[] | undefined;
  /** Whether the parser complained about something inside of the node. */
  hasParseErrors(node: Node): boolean;

  typeOf(expression: Expression | IfCondition): Type;
  typeOfSymbol(symbol: BicepSymbol): Type;
  typeOfTypeExpression(type: TypeExpression): Type;
  /** Like `typeOfTypeExpression`, but a type that is being worked out right now is not waited for. */
  sourceOfTypeExpression(type: TypeExpression): TypeSource;
  sourceOfDeclaredType(symbol: TypeSymbol): TypeSource;
  /** The types that contain this one without end, itself first; nothing when it is fine. */
  typeCycleOf(symbol: TypeSymbol): readonly TypeSymbol[] | undefined;
  /** Does something without reporting what it finds. */
  quietly<T>(work: () => T): T;
  declaredTypeOf(node: Node): Type | undefined;
  declaredPropertyOf(property: ObjectProperty): TypeProperty | undefined;
  /** The object type that an object literal is compared with, its discriminator taken into account. */
  expectedObject(node: ObjectExpression): ObjectType | undefined;

  resourceOf(symbol: ResourceSymbol): ResourceInfo;
  moduleOf(symbol: ModuleSymbol | TestSymbol): ModuleInfo;
  moduleTypeOf(symbol: ModuleSymbol | TestSymbol): ModuleType | TestType | undefined;
  importOf(symbol: ImportedSymbol): { readonly source: TemplateSource; readonly exported: TemplateExport } | undefined;
  /** The template behind a path; what is wrong with the path is reported on it, once. */
  templateAt(path: Expression, use: TemplateUse): TemplateSource | undefined;
  wildcardOf(symbol: WildcardSymbol): TemplateSource | undefined;
  extensionOf(symbol: ExtensionSymbol): ExtensionNamespace | undefined;
  namespaceOf(symbol: BicepSymbol): NamespaceType | undefined;
  readonly usingTemplate: TemplateSource | undefined;
  readonly baseTemplate: TemplateSource | undefined;

  /** Azure types by their text, because files tend to use the same few often. */
  readonly azureTypes: Map<string, ResourceType>;
  /** What was found out about the links of access chains; see `access.ts`. */
  readonly accessChains: Map<Node, AccessChain>;
  /** The signature of a function that the file declares or imports. */
  signatureOf(symbol: BicepSymbol): FunctionOverload | undefined;
  /** A written type with what the decorators of its owner add. */
  refinedTypeOf(owner: Node, written: Type): Type;
  decoratorsOf(node: Node): readonly ResolvedDecorator[];
  callOf(call: FunctionCall | InstanceFunctionCall): ResolvedCall | undefined;
  recordCall(node: Node, call: ResolvedCall): void;
  mayBeDisabled(symbol: ResourceSymbol | ModuleSymbol): boolean;
}
