import { DiagnosticList } from "../diagnostic.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { forEachChild, NodeTable } from "../syntax/index.ts";
import type {
  Decorated,
  ForExpression,
  FunctionCall,
  Identifier,
  IfCondition,
  InstanceFunctionCall,
  Lambda,
  LocalVariable,
  Node,
  ParameterDeclaration,
  Program,
  ResourceAccess,
  ResourceDeclaration,
  TypedLambda,
  TypedParameter,
  WithClause,
} from "../syntax/index.ts";
import { resourceDerivedTypes } from "../functions/index.ts";
import { anyType, DecoratorTargets, FunctionFlags } from "../types/index.ts";
import type { NamespaceType } from "../types/index.ts";
import { canBeReferenced, checkDeclaredNames, checkLocalNames } from "./check-names.ts";
import { nameDiagnostics } from "./diagnostics.ts";
import type { Declarations } from "./model.ts";
import { NodeLists } from "./node-lists.ts";
import { decoratorPlace, failure, Namespaces, parameterDefaultPlace, plainPlace, runTimePlace } from "./namespaces.ts";
import type { Place } from "./namespaces.ts";
import { findInScope, scopeWith } from "./scope.ts";
import type { Scope } from "./scope.ts";
import type {
  BaseParametersSymbol,
  BicepSymbol,
  BuiltInFunctionSymbol,
  DeclaredSymbol,
  ExtensionSymbol,
  LocalSymbol,
  NamespaceSymbol,
  ResourceSymbol,
} from "./symbols.ts";

export interface BindOptions {
  readonly kind: "bicep" | "params";
  readonly program: Program;
  readonly declarations: Declarations;
  /** Namespaces that need no declaration: `sys`, and `az` unless it is turned off. */
  readonly implicit: readonly NamespaceType[];
  /** What `this` stands for in the body of a resource. */
  readonly thisNamespace: NamespaceType | undefined;
  readonly extensionNamespace: (symbol: ExtensionSymbol) => NamespaceType | undefined;
}

/** What each name of a file stands for. */
export interface Bindings {
  /** In source order; those in text that did not parse are left out. */
  readonly nodes: NodeLists;
  /** The node around each one; identifiers and what was skipped between arguments are left out. */
  readonly parents: NodeTable<Node>;
  /** By declaration, local variable, access, call and type reference. */
  readonly symbols: NodeTable<BicepSymbol>;
  readonly references: ReadonlyMap<BicepSymbol, readonly Node[]>;
  /** Which declarations the expressions of a declaration mention, each as often as it does; types are left out. */
  readonly dependencies: ReadonlyMap<DeclaredSymbol, readonly DeclaredSymbol[]>;
  /** Declarations that call a method, or a function whose result only the run shows. */
  readonly runTimeCallers: ReadonlySet<DeclaredSymbol>;
  readonly namespaces: Namespaces;
  /** About declared names. What is wrong with a use is in the error symbol that stands for it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds the symbol of every name in one walk over the tree. */
export function bind(options: BindOptions): Bindings {
  const binder = new Binder(options);
  binder.bindProgram();
  return binder;
}

class Binder implements Bindings {
  readonly nodes = new NodeLists();
  readonly parents: NodeTable<Node>;
  readonly symbols: NodeTable<BicepSymbol>;
  readonly references = new Map<BicepSymbol, Node[]>();
  readonly dependencies = new Map<DeclaredSymbol, DeclaredSymbol[]>();
  readonly runTimeCallers = new Set<DeclaredSymbol>();
  readonly namespaces: Namespaces;
  readonly #sink = new DiagnosticList();
  readonly #options: BindOptions;
  readonly #implicit: ReadonlyMap<string, NamespaceSymbol>;
  readonly #this: NamespaceSymbol | undefined;
  readonly #base: BaseParametersSymbol | undefined;
  readonly #reservedInFile: ReadonlySet<string>;
  readonly #reserved: ReadonlySet<string>;
  #scope: Scope;
  #place: Place = plainPlace;
  #current: DeclaredSymbol | undefined;
  #inParameterDefault = false;
  #isSkipped = false;

  constructor(options: BindOptions) {
    const { declarations, implicit, thisNamespace } = options;
    this.#options = options;
    this.parents = new NodeTable(options.program);
    this.symbols = new NodeTable(options.program);
    this.#implicit = new Map(implicit.map((type) => [type.name, namespaceSymbol(type.name, type)]));
    this.#this = thisNamespace === undefined ? undefined : namespaceSymbol("this", thisNamespace);
    this.#base =
      declarations.extends === undefined
        ? undefined
        : { kind: "baseParameters", name: "base", declaration: declarations.extends };
    this.#reserved = new Set(this.#implicit.keys());
    this.#reservedInFile = this.#this === undefined ? this.#reserved : new Set([...this.#reserved, "this"]);
    const extensions = declarations.extensions.map(options.extensionNamespace).filter((type) => type !== undefined);
    this.namespaces = new Namespaces([...implicit, ...extensions]);
    this.#scope = scopeWith(undefined, declarations.all.filter(canBeReferenced));
    for (const symbol of declarations.all) {
      this.symbols.set(symbol.declaration, symbol);
    }
    for (const symbol of declarations.allResources) {
      this.symbols.set(symbol.declaration, symbol);
    }
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#sink.items;
  }

  bindProgram(): void {
    checkDeclaredNames(this.#options.declarations, this.#reservedInFile, this.#sink);
    this.#children(this.#options.program);
  }

  /** Binds a node below another. */
  #visit(node: Node, parent: Node): void {
    this.parents.set(node, parent);
    if (!this.#isSkipped) {
      this.nodes.add(node);
    }
    this.#bind(node);
  }

  #visitAll(nodes: readonly Node[], parent: Node): void {
    for (const node of nodes) {
      this.#visit(node, parent);
    }
  }

  // Expressions are spelled out: they are nearly all there is in a file, and this skips their tokens.
  #bind(node: Node): void {
    switch (node.kind) {
      case "BooleanLiteral":
      case "IntegerLiteral":
      case "NullLiteral":
        return;
      case "StringExpression":
        this.#visitAll(node.expressions, node);
        return;
      case "ObjectExpression":
        this.#visitAll(node.elements, node);
        return;
      case "ObjectProperty":
        if (node.key.kind !== "Identifier") {
          this.#visit(node.key, node);
        }
        this.#visit(node.value, node);
        return;
      case "ArrayExpression":
        this.#visitAll(node.elements, node);
        return;
      case "ArrayItem":
        this.#visit(node.value, node);
        return;
      case "Spread":
      case "ParenthesizedExpression":
      case "FunctionArgument":
        this.#visit(node.expression, node);
        return;
      case "PropertyAccess":
      case "NonNullAssertion":
        this.#visit(node.target, node);
        return;
      case "ArrayAccess":
        this.#visit(node.target, node);
        this.#visit(node.index, node);
        return;
      case "UnaryOperation":
        this.#visit(node.operand, node);
        return;
      case "BinaryOperation":
        this.#visit(node.left, node);
        this.#visit(node.right, node);
        return;
      case "TernaryOperation":
        this.#visit(node.condition, node);
        this.#visit(node.whenTrue, node);
        this.#visit(node.whenFalse, node);
        return;
      case "VariableAccess":
        this.#record(node, this.#value(node.name));
        return;
      case "TypeReference":
        this.#record(node, this.#type(node.name));
        return;
      case "TypeInstantiation":
        this.#record(node, this.#type(node.name));
        this.#children(node);
        return;
      case "FunctionCall":
        this.#record(node, this.#called(node.name));
        this.#arguments(node);
        return;
      case "InstanceFunctionCall":
        this.#methodCall(node);
        return;
      case "ResourceAccess":
        this.#visit(node.target, node);
        this.#record(node, this.#nested(node));
        return;
      case "ForExpression":
        this.#loop(node);
        return;
      case "Lambda":
        this.#lambda(node);
        return;
      case "TypedLambda":
        this.#function(node);
        return;
      case "IfCondition":
        this.#condition(node);
        return;
      default:
        this.#bindDeclaration(node);
    }
  }

  #bindDeclaration(node: Node): void {
    switch (node.kind) {
      case "ResourceDeclaration":
        this.#resource(node);
        break;
      case "ObjectTypeProperty":
      case "ObjectTypeAdditionalProperties":
      case "TupleTypeItem":
        this.#decorators(node, DecoratorTargets.Type);
        this.#partsBelow(node);
        break;
      case "ParameterDeclaration":
        this.#parameter(node);
        break;
      case "VariableDeclaration":
        this.#declaration(node, DecoratorTargets.Variable, runTimePlace);
        break;
      case "OutputDeclaration":
        this.#declaration(node, DecoratorTargets.Output, runTimePlace);
        break;
      case "ModuleDeclaration":
        this.#declaration(node, DecoratorTargets.Module, runTimePlace);
        break;
      case "TestDeclaration":
        this.#declaration(node, 0, runTimePlace);
        break;
      case "FunctionDeclaration":
        this.#declaration(node, DecoratorTargets.Function, runTimePlace);
        break;
      case "TypeDeclaration":
        this.#declaration(node, DecoratorTargets.Type, plainPlace);
        break;
      case "MetadataDeclaration":
        this.#declaration(node, DecoratorTargets.Metadata, decoratorPlace(0));
        break;
      case "ExtensionDeclaration":
        this.#declaration(node, DecoratorTargets.Extension, plainPlace);
        break;
      case "TargetScope":
      case "AssertDeclaration":
      case "ImportDeclaration":
      case "UsingDeclaration":
      case "ExtendsDeclaration":
      case "ParameterAssignment":
      case "ExtensionConfiguration":
        this.#declaration(node, 0, plainPlace);
        break;
      case "WithClause":
        this.#configuration(node);
        break;
      case "DanglingDecorators":
        this.#decorators(node, 0);
        break;
      case "Skipped":
        this.#skipped(node);
        break;
      default:
        this.#children(node);
    }
  }

  /** Names in text that did not parse are bound all the same. */
  #skipped(node: Node): void {
    const before = this.#isSkipped;
    this.#isSkipped = true;
    this.#children(node);
    this.#isSkipped = before;
  }

  #children(node: Node): void {
    forEachChild(node, (child) => {
      if (child.kind !== "Identifier") {
        this.#visit(child, node);
      }
    });
  }

  /** The children of a decorated node, its decorators aside. */
  #partsBelow(node: Node): void {
    forEachChild(node, (child) => {
      if (child.kind !== "Decorator" && child.kind !== "Identifier") {
        this.#visit(child, node);
      }
    });
  }

  #visitAt(place: Place, node: Node, parent: Node): void {
    const before = this.#place;
    this.#place = place;
    this.#visit(node, parent);
    this.#place = before;
  }

  #visitIn(scope: Scope, node: Node, parent: Node): void {
    const before = this.#scope;
    this.#scope = scope;
    this.#visit(node, parent);
    this.#scope = before;
  }

  /** A declaration with its decorators; the place is that of everything behind its name. */
  #declaration(node: Node & Decorated, target: number, place: Place): void {
    const before = this.#enter(node, target);
    const outerPlace = this.#place;
    this.#place = place;
    this.#partsBelow(node);
    this.#place = outerPlace;
    this.#current = before;
  }

  /** Makes the declaration the one that depends on what comes next; gives back the one before. */
  #enter(node: Node & Decorated, target: number): DeclaredSymbol | undefined {
    const before = this.#current;
    const symbol = this.symbols.get(node);
    if (symbol !== undefined && isDeclared(symbol)) {
      this.#current = symbol;
    }
    this.#decorators(node, target);
    return before;
  }

  #parameter(node: ParameterDeclaration): void {
    const before = this.#enter(node, DecoratorTargets.Parameter);
    this.#visitAt(plainPlace, node.type, node);
    if (node.modifier !== undefined) {
      this.#inParameterDefault = true;
      this.#visitAt(parameterDefaultPlace, node.modifier, node);
      this.#inParameterDefault = false;
    }
    this.#current = before;
  }

  #condition(node: IfCondition): void {
    this.#visitAt(plainPlace, node.condition, node);
    this.#visit(node.body, node);
  }

  /** The values of a parameters file are ordinary ones; an extension in a template is configured as if by decorators. */
  #configuration(node: WithClause): void {
    const owner = this.parents.get(node)?.kind;
    const isParameters = owner === "ExtensionConfiguration" || owner === "UsingDeclaration";
    this.#visitAt(isParameters ? plainPlace : decoratorPlace(0), node.configuration, node);
  }

  #decorators(node: Node & Decorated, target: number): void {
    for (const decorator of node.decorators) {
      this.parents.set(decorator, node);
      this.#visitAt(decoratorPlace(target), decorator.expression, decorator);
    }
  }

  #resource(node: ResourceDeclaration): void {
    const symbol = this.symbols.get(node);
    const before = this.#enter(node, DecoratorTargets.Resource);
    if (symbol?.kind === "resource") {
      if (symbol.container !== undefined) {
        this.#depend(symbol.container);
      }
      this.#visit(node.type, node);
      const outerPlace = this.#place;
      this.#place = runTimePlace;
      this.#visitIn(this.#scopeOf(symbol), node.body, node);
      this.#place = outerPlace;
    }
    this.#current = before;
  }

  /** What the body of a resource sees besides what is around it. */
  #scopeOf(resource: ResourceSymbol): Scope {
    return this.#this === undefined
      ? scopeWith(this.#scope, resource.nested)
      : scopeWith(this.#scope, [...resource.nested, this.#this]);
  }

  #loop(node: ForExpression): void {
    this.#visit(node.source, node);
    this.#visit(node.variables, node);
    this.#visitIn(this.#locals(node, variablesOf(node.variables), false), node.body, node);
  }

  #lambda(node: Lambda): void {
    this.#visit(node.parameters, node);
    this.#visitIn(this.#locals(node, variablesOf(node.parameters), false), node.body, node);
  }

  #function(node: TypedLambda): void {
    this.#visit(node.parameters, node);
    this.#visit(node.returnType, node);
    this.#visitIn(this.#locals(node, node.parameters.parameters, true), node.body, node);
  }

  #locals(
    owner: ForExpression | Lambda | TypedLambda,
    variables: readonly (LocalVariable | TypedParameter)[],
    isFunction: boolean,
  ): Scope {
    const symbols = variables.map((declaration, position): LocalSymbol => {
      const role = roleOf(owner, position);
      const { name } = declaration;
      return { kind: "local", role, name: name.name, nameNode: name, declaration, owner, position };
    });
    for (const symbol of symbols) {
      this.symbols.set(symbol.declaration, symbol);
    }
    checkLocalNames(symbols, this.#reserved, this.#sink);
    return scopeWith(this.#scope, symbols, { isFunction });
  }

  #value(identifier: Identifier): BicepSymbol {
    const { name } = identifier;
    if (identifier.token.kind === "Skipped") {
      return failure(name, undefined);
    }
    const declared = findInScope(this.#scope, name) ?? this.#implicit.get(name);
    if (declared !== undefined) {
      if (this.#inParameterDefault && isNoParameterDefault(declared)) {
        this.#sink.report(nameDiagnostics.onlyParameters(identifier, name));
      }
      return declared;
    }
    if (name === "base" && this.#options.kind === "params") {
      return this.#base ?? failure(name, nameDiagnostics.baseWithoutExtends(identifier));
    }
    return this.namespaces.value(name, identifier);
  }

  #type(identifier: Identifier): BicepSymbol {
    const { name } = identifier;
    if (identifier.token.kind === "Skipped") {
      return failure(name, undefined);
    }
    const declared = findInScope(this.#scope, name) ?? this.#implicit.get(name);
    if (declared !== undefined) {
      return declared;
    }
    if (resourceDerivedTypes.has(name)) {
      const [namespace] = this.#options.implicit;
      return namespace === undefined
        ? failure(name, undefined)
        : { kind: "ambientType", name, namespace, type: anyType };
    }
    const symbol = this.namespaces.value(name, identifier);
    if (symbol.kind === "ambientType" || symbol.kind === "builtInFunction") {
      return symbol;
    }
    return failure(name, nameDiagnostics.unknownType(identifier, name, this.namespaces.typeNames()));
  }

  #called(identifier: Identifier): BicepSymbol {
    const { name } = identifier;
    if (identifier.token.kind === "Skipped") {
      return failure(name, undefined);
    }
    const declared = findInScope(this.#scope, name) ?? this.#implicit.get(name);
    if (declared === undefined) {
      return this.namespaces.function(name, identifier, this.#place);
    }
    if (declared.kind === "function" || declared.kind === "imported" || declared.kind === "error") {
      return declared;
    }
    return failure(name, this.#notAFunction(identifier));
  }

  #notAFunction(identifier: Identifier): Diagnostic {
    const { name } = identifier;
    const owner = this.namespaces.ownerOf(name);
    return owner === undefined
      ? nameDiagnostics.notAFunction(identifier, name)
      : nameDiagnostics.notAFunctionButBuiltIn(identifier, name, `${owner.name}.${name}`);
  }

  #methodCall(node: InstanceFunctionCall): void {
    this.#visit(node.target, node);
    const target = this.symbols.get(node.target);
    const namespace = target === undefined ? undefined : this.#namespaceOf(target);
    if (node.name.token.kind === "Skipped") {
      this.#record(node, failure(node.name.name, undefined));
    } else if (namespace !== undefined) {
      const { name } = node.name;
      this.#record(node, this.namespaces.qualifiedFunction(namespace, name, node.name, this.#place));
    } else if (this.#current !== undefined) {
      this.runTimeCallers.add(this.#current); // what a method does depends on types
    }
    this.#arguments(node);
  }

  #namespaceOf(symbol: BicepSymbol): NamespaceType | undefined {
    if (symbol.kind === "namespace") {
      return symbol.type;
    }
    return symbol.kind === "extension" ? this.#options.extensionNamespace(symbol) : undefined;
  }

  /** The arguments of a decorator are ordinary expressions. */
  #arguments(node: FunctionCall | InstanceFunctionCall): void {
    const before = this.#place;
    this.#place = before.decorates === undefined ? before : plainPlace;
    this.#visitAll(node.args, node);
    this.#place = before;
  }

  #nested(node: ResourceAccess): BicepSymbol {
    const { name } = node.name;
    const target = this.symbols.get(node.target);
    if (node.name.token.kind === "Skipped" || target === undefined || target.kind === "error") {
      const isOther = target === undefined && node.name.token.kind !== "Skipped" && node.target.kind !== "Skipped";
      return failure(name, isOther ? nameDiagnostics.notAResource(node.name, "value") : undefined);
    }
    if (target.kind !== "resource") {
      return failure(name, nameDiagnostics.notAResource(node.name, target.kind));
    }
    const found = target.nested.find((child) => child.name === name);
    return found ?? failure(name, nameDiagnostics.noNestedResource(node.name, target.name, name, namesOf(target)));
  }

  #record(node: Node, symbol: BicepSymbol): void {
    this.symbols.set(node, symbol);
    if (symbol.kind === "error") {
      return;
    }
    const known = this.references.get(symbol);
    if (known === undefined) {
      this.references.set(symbol, [node]);
    } else {
      known.push(node);
    }
    if (isDeclared(symbol) && symbol.kind !== "type") {
      this.#depend(symbol);
    } else if (symbol.kind === "builtInFunction" && isRunTimeFunction(symbol) && this.#current !== undefined) {
      this.runTimeCallers.add(this.#current);
    }
  }

  #depend(symbol: DeclaredSymbol): void {
    if (this.#current === undefined) {
      return;
    }
    const known = this.dependencies.get(this.#current);
    if (known === undefined) {
      this.dependencies.set(this.#current, [symbol]);
    } else {
      known.push(symbol);
    }
  }
}

function isRunTimeFunction({ overloads }: BuiltInFunctionSymbol): boolean {
  return overloads.some(({ flags }) => (flags & FunctionFlags.RequiresInlining) !== 0);
}

function namespaceSymbol(name: string, type: NamespaceType): NamespaceSymbol {
  return { kind: "namespace", name, type };
}

function variablesOf(node: ForExpression["variables"] | Lambda["parameters"]): readonly LocalVariable[] {
  if (node.kind === "LocalVariable") {
    return [node];
  }
  return node.kind === "Skipped" ? [] : node.variables;
}

function roleOf(owner: ForExpression | Lambda | TypedLambda, position: number): LocalSymbol["role"] {
  switch (owner.kind) {
    case "ForExpression":
      return position === 0 ? "item" : "index";
    case "Lambda":
      return "lambda";
    case "TypedLambda":
      return "functionParameter";
    default:
      return owner satisfies never;
  }
}

function isNoParameterDefault(symbol: BicepSymbol): boolean {
  return (
    symbol.kind === "variable" || symbol.kind === "resource" || symbol.kind === "module" || symbol.kind === "local"
  );
}

export function isDeclared(symbol: BicepSymbol): symbol is DeclaredSymbol {
  switch (symbol.kind) {
    case "local":
    case "namespace":
    case "ambientType":
    case "builtInFunction":
    case "baseParameters":
    case "error":
      return false;
    default:
      return true;
  }
}

function namesOf(resource: ResourceSymbol): string[] {
  return resource.nested.map((child) => child.name);
}
