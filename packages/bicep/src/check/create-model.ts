import { DiagnosticList } from "../diagnostic.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { azNamespace, sysNamespace, thisNamespace } from "../functions/index.ts";
import type { NamespaceOptions } from "../functions/index.ts";
import { bind, declare, dependenciesFirst, findCycles, isDeclared } from "../semantics/index.ts";
import type {
  BicepSymbol,
  Bindings,
  Declarations,
  DeclaredSymbol,
  ExtensionNamespace,
  ExtensionSymbol,
  ImportedSymbol,
  ListedKind,
  ModelEnvironment,
  ModuleInfo,
  ModuleSymbol,
  ResolvedCall,
  ResolvedDecorator,
  ResourceInfo,
  ResourceSymbol,
  SemanticModel,
  SourceFile,
  TemplateExport,
  TemplateSource,
  TemplateUse,
  TestSymbol,
  TypeSymbol,
  WildcardSymbol,
} from "../semantics/index.ts";
import { literalText, NodeTable, parentsOf } from "../syntax/index.ts";
import type {
  Decorated,
  Expression,
  FunctionCall,
  IfCondition,
  InstanceFunctionCall,
  Node,
  NodeOf,
  ObjectExpression,
  ObjectProperty,
  Program,
  TypeExpression,
} from "../syntax/index.ts";
import { anyType, defer, ScopeFlags, silentError } from "../types/index.ts";
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
import { checkFile } from "./check-file.ts";
import type { AccessChain, Checker } from "./checker.ts";
import { chosenObject, expectedProperty, expectedTypeAt } from "./declared-types.ts";
import { refinedSource } from "./decorated-types.ts";
import { resolveDecorators } from "./decorators.ts";
import { isDeferred } from "./deferred.ts";
import { describeModule, describeResource, typeOfTemplate } from "./deployments.ts";
import { checks } from "./diagnostics.ts";
import { typeOfExpression } from "./expressions.ts";
import { specificationText } from "./extensions.ts";
import { implicitExtensions } from "./implicit-extensions.ts";
import { templateOf } from "./model-template.ts";
import { ParseErrors } from "./parse-errors.ts";
import { resourceTypeOf } from "./resource-types.ts";
import type { ResolvedResourceType } from "./resource-types.ts";
import { signatureOfFunction, typeOfDeclaration } from "./symbol-types.ts";
import { findTypeCycles, typesMentionedIn } from "./type-cycles.ts";
import { sourceOfType } from "./type-expressions.ts";

/** Analyses one file. Cheap: everything is worked out when it is first asked for. */
export function createModel(file: SourceFile, environment: ModelEnvironment): SemanticModel {
  return new Model(file, environment);
}

/** How many declarations may wait for the type of the next one. */
const deepestChain = 50;

/**
 * Each declaration that asks for the type of the next takes some of the stack, which a long chain would use up: so after
 * some of them those at the end of the chain are worked out first.
 */
function workOutFirst<T>(symbol: T, dependencies: (item: T) => readonly T[], workOut: (item: T) => void): void {
  for (const item of dependenciesFirst(symbol, dependencies)) {
    if (item !== symbol) {
      workOut(item);
    }
  }
}

class Model implements SemanticModel, Checker {
  readonly file: SourceFile;
  readonly environment: ModelEnvironment;
  readonly declarations: Declarations;
  readonly bindings: Bindings;
  readonly targetScope: number;
  readonly hasAzure: boolean;
  readonly accessChains = new Map<Node, AccessChain>();
  readonly azureTypes = new Map<string, ResourceType>();

  readonly #found = new DiagnosticList();
  readonly #parseErrors: ParseErrors;
  readonly #types: NodeTable<Type>;
  readonly #typeSources = new Map<Node, TypeSource>();
  readonly #declaredTypes = new Map<Node, Type | undefined>();
  /** Null where none is expected, and while it is being worked out. */
  readonly #expectedObjects = new Map<ObjectExpression, ObjectType | null>();
  readonly #symbolTypes = new Map<BicepSymbol, Type>();
  readonly #typeDeclarations = new Map<TypeSymbol, TypeSource | undefined>();
  readonly #resourceTypes = new Map<ResourceSymbol, ResolvedResourceType | undefined>();
  readonly #resources = new Map<ResourceSymbol, ResourceInfo>();
  readonly #modules = new Map<ModuleSymbol | TestSymbol, ModuleInfo>();
  readonly #moduleTypes = new Map<ModuleSymbol | TestSymbol, ModuleType | TestType | undefined>();
  readonly #templates = new Map<Node, TemplateSource | undefined>();
  readonly #extensions = new Map<ExtensionSymbol, ExtensionNamespace | undefined>();
  readonly #decorators = new Map<Node, readonly ResolvedDecorator[]>();
  readonly #calls = new Map<Node, ResolvedCall>();
  readonly #signatures = new Map<BicepSymbol, FunctionOverload | undefined>();
  readonly #disabled = new Map<ResourceSymbol | ModuleSymbol, boolean>();
  #parents: ReadonlyMap<Node, Node> | undefined;
  #cycles: ReadonlyMap<DeclaredSymbol, readonly DeclaredSymbol[]> | undefined;
  #typeCycles: ReadonlyMap<TypeSymbol, readonly TypeSymbol[]> | undefined;
  #diagnostics: readonly Diagnostic[] | undefined;
  #isQuiet = false;
  #symbolDepth = 0;

  constructor(file: SourceFile, environment: ModelEnvironment) {
    const { program, kind } = file.syntax;
    this.file = file;
    this.environment = environment;
    this.#types = new NodeTable(program);
    this.#parseErrors = new ParseErrors(file.syntax.parserDiagnostics);
    this.targetScope = targetScopeOf(program);
    const written = declare(program, (declaration) => {
      const text = specificationText(declaration);
      const resolution = text === undefined ? undefined : environment.extension(file, text);
      return resolution !== undefined && "value" in resolution ? resolution.value.provider : undefined;
    });
    const implicit = implicitExtensions(file, written.extensions);
    this.declarations = { ...written, extensions: [...written.extensions, ...implicit.symbols] };
    this.hasAzure = implicit.hasAzure;
    const options: NamespaceOptions = {
      file: kind === "params" ? "parameters" : "template",
      targetScope: this.targetScope,
      feature: (name) => this.feature(name),
    };
    this.bindings = bind({
      kind,
      program,
      declarations: written,
      implicit: [
        sysNamespace(options),
        ...(implicit.namesAzure ? [azNamespace(options)] : []),
        ...implicit.symbols.map((symbol) => this.namespaceOf(symbol)).filter((namespace) => namespace !== undefined),
      ],
      thisNamespace: kind === "params" ? undefined : thisNamespace(anyType),
      extensionNamespace: (symbol) => this.namespaceOf(symbol),
    });
  }

  // ------------------------------------------------------------------------------------------ reports

  report(diagnostic: Diagnostic): void {
    if (!this.#isQuiet) {
      this.#found.report(diagnostic);
    }
  }

  fail(diagnostic: Diagnostic): ErrorType {
    this.report(diagnostic);
    return silentError;
  }

  quietly<T>(work: () => T): T {
    return this.#withQuiet(true, work);
  }

  #withQuiet<T>(isQuiet: boolean, work: () => T): T {
    const before = this.#isQuiet;
    this.#isQuiet = isQuiet;
    const result = work();
    this.#isQuiet = before;
    return result;
  }

  diagnostics(): readonly Diagnostic[] {
    if (this.#diagnostics === undefined) {
      checkFile(this);
      this.#diagnostics = [...this.bindings.diagnostics, ...this.#found.items];
    }
    return this.#diagnostics;
  }

  feature(name: string): boolean {
    return this.file.features[name] === true;
  }

  // ------------------------------------------------------------------------------------------ names

  symbolOf(node: Node): BicepSymbol | undefined {
    return this.bindings.symbols.get(node);
  }

  referencesTo(symbol: BicepSymbol): readonly Node[] {
    return this.bindings.references.get(symbol) ?? [];
  }

  nodesOf<K extends ListedKind>(kind: K): readonly NodeOf<K>[] {
    return this.bindings.nodes.of(kind);
  }

  mentionsOf(symbol: DeclaredSymbol): readonly DeclaredSymbol[] {
    return this.bindings.dependencies.get(symbol) ?? [];
  }

  callsAtRunTime(symbol: DeclaredSymbol): boolean {
    return this.bindings.runTimeCallers.has(symbol);
  }

  parentOf(node: Node): Node | undefined {
    const parent = this.bindings.parents.get(node);
    if (parent !== undefined || node.kind === "Program") {
      return parent;
    }
    // The binder passes by identifiers and skipped text, which hardly anybody asks about.
    this.#parents ??= parentsOf(this.file.syntax.program);
    return this.#parents.get(node);
  }

  cycleOf(symbol: BicepSymbol): readonly DeclaredSymbol[] | undefined {
    if (!isDeclared(symbol)) {
      return undefined;
    }
    const { dependencies } = this.bindings;
    this.#cycles ??= findCycles(Array.from(dependencies.keys()), (item) => dependencies.get(item) ?? []);
    return this.#cycles.get(symbol);
  }

  hasParseErrors(node: Node): boolean {
    return this.#parseErrors.isInside(node);
  }

  namespaceOf(symbol: BicepSymbol): NamespaceType | undefined {
    if (symbol.kind === "namespace") {
      return symbol.type;
    }
    const namespace = symbol.kind === "extension" ? this.extensionOf(symbol)?.namespace : undefined;
    return namespace === undefined ? undefined : { ...namespace, name: symbol.name };
  }

  // ------------------------------------------------------------------------------------------ types

  typeOf(expression: Expression | IfCondition): Type {
    switch (expression.kind) {
      case "BooleanLiteral":
      case "NullLiteral":
      case "IntegerLiteral":
      case "Skipped":
        return typeOfExpression(this, expression); // as cheap as looking it up
      default:
    }
    let type = this.#types.get(expression);
    if (type === undefined) {
      type = typeOfExpression(this, expression);
      this.#types.set(expression, type);
    }
    return type;
  }

  typeOfSymbol(symbol: BicepSymbol): Type {
    const known = this.#symbolTypes.get(symbol);
    if (known !== undefined) {
      return known;
    }
    if (this.#symbolDepth > deepestChain && isDeclared(symbol)) {
      const isOpen = (item: DeclaredSymbol): boolean =>
        !this.#symbolTypes.has(item) && this.cycleOf(item) === undefined;
      workOutFirst(
        symbol,
        (item) => this.mentionsOf(item).filter(isOpen),
        (item) => this.typeOfSymbol(item),
      );
    }
    // Whatever asks for itself on the way gets an error; cycles between declarations are reported before that.
    this.#symbolTypes.set(symbol, silentError);
    const wasQuiet = this.#isQuiet;
    this.#isQuiet = false;
    this.#symbolDepth += 1;
    const type = typeOfDeclaration(this, symbol);
    this.#symbolDepth -= 1;
    this.#isQuiet = wasQuiet;
    this.#symbolTypes.set(symbol, type);
    return type;
  }

  typeOfTypeExpression(type: TypeExpression): Type {
    const source = this.sourceOfTypeExpression(type);
    return isDeferred(source) ? source.type : source;
  }

  sourceOfTypeExpression(type: TypeExpression): TypeSource {
    let source = this.#typeSources.get(type);
    if (source === undefined) {
      source = sourceOfType(this, type);
      this.#typeSources.set(type, source);
    }
    return source;
  }

  sourceOfDeclaredType(symbol: TypeSymbol): TypeSource {
    if (this.#typeDeclarations.has(symbol)) {
      return this.#typeDeclarations.get(symbol) ?? defer(() => this.#declaredType(symbol));
    }
    if (this.#symbolDepth > deepestChain) {
      const isOpen = (item: TypeSymbol): boolean => !this.#typeDeclarations.has(item);
      workOutFirst(
        symbol,
        (item) => typesMentionedIn(this, item).filter(isOpen),
        (item) => this.sourceOfDeclaredType(item),
      );
    }
    this.#typeDeclarations.set(symbol, undefined);
    const { declaration } = symbol;
    this.#symbolDepth += 1;
    const source = this.#withQuiet(false, () =>
      refinedSource(this, declaration, this.sourceOfTypeExpression(declaration.value)),
    );
    this.#symbolDepth -= 1;
    this.#typeDeclarations.set(symbol, source);
    return source;
  }

  #declaredType(symbol: TypeSymbol): Type | undefined {
    const source = this.#typeDeclarations.get(symbol);
    return source !== undefined && isDeferred(source) ? source.type : source;
  }

  typeCycleOf(symbol: TypeSymbol): readonly TypeSymbol[] | undefined {
    this.#typeCycles ??= findTypeCycles(this);
    return this.#typeCycles.get(symbol);
  }

  refinedTypeOf(owner: Node, written: Type): Type {
    const source = refinedSource(this, owner, written);
    return isDeferred(source) ? source.type : source;
  }

  declaredTypeOf(node: Node): Type | undefined {
    switch (node.kind) {
      case "ResourceDeclaration":
      case "ModuleDeclaration":
      case "TestDeclaration":
        break;
      default:
        return expectedTypeAt(this, node); // one or two steps away from what is kept
    }
    let type = this.#declaredTypes.get(node);
    if (type === undefined) {
      type = expectedTypeAt(this, node);
      this.#declaredTypes.set(node, type);
    }
    return type;
  }

  declaredPropertyOf(property: ObjectProperty): TypeProperty | undefined {
    return expectedProperty(this, property);
  }

  expectedObject(node: ObjectExpression): ObjectType | undefined {
    const known = this.#expectedObjects.get(node);
    if (known !== undefined) {
      return known ?? undefined;
    }
    this.#expectedObjects.set(node, null); // the value of a discriminator may ask on the way
    const type = chosenObject(this, this.declaredTypeOf(node), node);
    if (type?.kind !== "object") {
      return undefined;
    }
    this.#expectedObjects.set(node, type);
    return type;
  }

  // ------------------------------------------------------------------------------------------ deployments

  resourceOf(symbol: ResourceSymbol): ResourceInfo {
    let info = this.#resources.get(symbol);
    if (info === undefined) {
      info = describeResource(this, symbol, this.#resourceType(symbol));
      this.#resources.set(symbol, info);
    }
    return info;
  }

  #resourceType(symbol: ResourceSymbol): ResolvedResourceType | undefined {
    if (this.#resourceTypes.has(symbol)) {
      return this.#resourceTypes.get(symbol);
    }
    const { container } = symbol;
    const type = resourceTypeOf(this, symbol, () =>
      container === undefined ? undefined : this.#resourceType(container),
    );
    this.#resourceTypes.set(symbol, type);
    return type;
  }

  moduleOf(symbol: ModuleSymbol | TestSymbol): ModuleInfo {
    let info = this.#modules.get(symbol);
    if (info === undefined) {
      const { path } = symbol.declaration;
      info = describeModule(this, symbol, this.templateAt(path, symbol.kind));
      this.#modules.set(symbol, info);
    }
    return info;
  }

  moduleTypeOf(symbol: ModuleSymbol | TestSymbol): ModuleType | TestType | undefined {
    if (this.#moduleTypes.has(symbol)) {
      return this.#moduleTypes.get(symbol);
    }
    const { template } = this.moduleOf(symbol);
    const type = template === undefined ? undefined : typeOfTemplate(this, symbol, template);
    this.#moduleTypes.set(symbol, type);
    return type;
  }

  mayBeDisabled(symbol: ResourceSymbol | ModuleSymbol): boolean {
    let isDisabled = this.#disabled.get(symbol);
    if (isDisabled === undefined) {
      this.#disabled.set(symbol, false);
      isDisabled = this.#hasOpenCondition(symbol);
      this.#disabled.set(symbol, isDisabled);
    }
    return isDisabled;
  }

  #hasOpenCondition(symbol: ResourceSymbol | ModuleSymbol): boolean {
    const { condition } = symbol.kind === "module" ? this.moduleOf(symbol) : this.resourceOf(symbol);
    const type = condition === undefined ? undefined : this.typeOf(condition);
    const isTrue = type === undefined || (type.kind === "boolLiteral" && type.value);
    if (symbol.kind === "module") {
      return !isTrue;
    }
    if (!isTrue && type.kind !== "any" && type.kind !== "error") {
      return true;
    }
    if (this.decoratorOf(symbol.declaration, "nullIfNotFound") !== undefined) {
      return true;
    }
    return symbol.container !== undefined && this.mayBeDisabled(symbol.container);
  }

  // ------------------------------------------------------------------------------------------ other files

  templateAt(path: Expression, use: TemplateUse): TemplateSource | undefined {
    if (this.#templates.has(path)) {
      return this.#templates.get(path);
    }
    const template = this.#withQuiet(false, () => this.#resolveTemplate(path, use));
    this.#templates.set(path, template);
    return template;
  }

  #resolveTemplate(path: Expression, use: TemplateUse): TemplateSource | undefined {
    if (path.kind !== "StringExpression") {
      if (use === "test" || use === "module") {
        this.report(use === "test" ? checks.testPathMissing(path) : checks.modulePathMissing(path));
      }
      return undefined;
    }
    const text = literalText(path);
    if (text === undefined) {
      this.report(checks.interpolatedPath(path));
      return undefined;
    }
    const resolution = this.environment.template(this.file, text, use);
    if ("problem" in resolution) {
      this.report(checks.placed(path, resolution.problem));
      return undefined;
    }
    const template = resolution.value;
    for (const warning of use === "module" ? (template.warnings ?? []) : []) {
      this.report(checks.placed(path, warning));
    }
    if (use !== "import" && template.hasErrors()) {
      const hasErrors = template.origin.kind === "arm" ? checks.armTemplateHasErrors : checks.templateHasErrors;
      this.report(hasErrors(path, text));
    }
    return template;
  }

  importOf(symbol: ImportedSymbol): { readonly source: TemplateSource; readonly exported: TemplateExport } | undefined {
    const source = this.#importedTemplate(symbol);
    const exported = source?.exports.get(symbol.originalName);
    return source === undefined || exported === undefined ? undefined : { source, exported };
  }

  wildcardOf(symbol: WildcardSymbol): TemplateSource | undefined {
    return this.#importedTemplate(symbol);
  }

  #importedTemplate(symbol: ImportedSymbol | WildcardSymbol): TemplateSource | undefined {
    const { from } = symbol.statement;
    const template = from.kind === "Skipped" ? undefined : this.templateAt(from.path, "import");
    return template?.hasErrors() === true ? undefined : template;
  }

  extensionOf(symbol: ExtensionSymbol): ExtensionNamespace | undefined {
    if (this.#extensions.has(symbol)) {
      return this.#extensions.get(symbol);
    }
    const text = specificationText(symbol.declaration);
    const resolution = text === undefined ? undefined : this.environment.extension(this.file, text);
    const namespace = resolution !== undefined && "value" in resolution ? resolution.value : undefined;
    this.#extensions.set(symbol, namespace);
    return namespace;
  }

  get usingTemplate(): TemplateSource | undefined {
    const path = this.declarations.using?.path;
    return path === undefined || path.kind === "StringExpression" || path.kind === "Skipped"
      ? path && this.templateAt(path, "using")
      : undefined;
  }

  get baseTemplate(): TemplateSource | undefined {
    const path = this.declarations.extends?.path;
    return path === undefined ? undefined : this.templateAt(path, "extends");
  }

  get baseParameters(): SemanticModel | undefined {
    const origin = this.baseTemplate?.origin;
    return origin?.kind === "bicep" ? origin.model : undefined;
  }

  asTemplate(hasErrors: () => boolean): TemplateSource {
    return templateOf(this, this, hasErrors);
  }

  // ------------------------------------------------------------------------------------------ calls

  signatureOf(symbol: BicepSymbol): FunctionOverload | undefined {
    if (symbol.kind !== "function") {
      return undefined;
    }
    if (this.#signatures.has(symbol)) {
      return this.#signatures.get(symbol);
    }
    const signature = this.#withQuiet(false, () => signatureOfFunction(this, symbol));
    this.#signatures.set(symbol, signature);
    return signature;
  }

  decoratorsOf(node: Node): readonly ResolvedDecorator[] {
    const { decorators } = node as Node & Partial<Decorated>;
    if (decorators === undefined || decorators.length === 0) {
      return noDecorators;
    }
    return this.#decorators.get(node) ?? this.#resolveDecorators(node as Node & Decorated);
  }

  #resolveDecorators(node: Node & Decorated): readonly ResolvedDecorator[] {
    const decorators = this.#withQuiet(false, () => resolveDecorators(this, node));
    this.#decorators.set(node, decorators);
    return decorators;
  }

  decoratorOf(node: Node, name: string): ResolvedDecorator | undefined {
    for (const item of this.decoratorsOf(node)) {
      if (item.definition.name === name && item.namespace.name === "sys") {
        return item;
      }
    }
    return undefined;
  }

  callOf(call: FunctionCall | InstanceFunctionCall): ResolvedCall | undefined {
    this.typeOf(call);
    return this.#calls.get(call);
  }

  recordCall(node: Node, call: ResolvedCall): void {
    this.#calls.set(node, call);
  }
}

const noDecorators: readonly ResolvedDecorator[] = [];

/** What the file says it is deployed to; the first statement that says so counts. */
function targetScopeOf(program: Program): number {
  const statement = program.statements.find((candidate) => candidate.kind === "TargetScope");
  const text = statement?.value.kind === "StringExpression" ? literalText(statement.value) : undefined;
  switch (text) {
    case "tenant":
      return ScopeFlags.Tenant;
    case "managementGroup":
      return ScopeFlags.ManagementGroup;
    case "subscription":
      return ScopeFlags.Subscription;
    case "local":
      return ScopeFlags.Local;
    default:
      return ScopeFlags.ResourceGroup;
  }
}
