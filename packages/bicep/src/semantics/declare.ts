import { literalText } from "../syntax/index.ts";
import type {
  Expression,
  ExtensionDeclaration,
  Identifier,
  IfCondition,
  ImportDeclaration,
  ObjectExpression,
  Program,
  ResourceBody,
  ResourceDeclaration,
  Statement,
} from "../syntax/index.ts";
import type { Declarations } from "./model.ts";
import type { DeclaredSymbol, ImportedSymbol, ResourceSymbol } from "./symbols.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? I[] : T[K] };

/** The symbols that the statements of a file introduce. `extensionName` names an extension that has no alias. */
export function declare(
  program: Program,
  extensionName: (declaration: ExtensionDeclaration) => string | undefined,
): Declarations {
  const declarations = emptyDeclarations(program.statements);
  for (const statement of program.statements) {
    declareStatement(declarations, statement, extensionName);
  }
  return declarations;
}

/** The object of a resource or module, inside of its loop and its condition. */
export function bodyObject(body: ResourceBody): ObjectExpression | undefined {
  let inner: Expression | IfCondition = body.kind === "ForExpression" ? body.body : body;
  if (inner.kind === "IfCondition") {
    inner = inner.body;
  }
  return inner.kind === "ObjectExpression" ? inner : undefined;
}

function declareStatement(
  into: Mutable<Declarations>,
  statement: Statement,
  extensionName: (declaration: ExtensionDeclaration) => string | undefined,
): void {
  switch (statement.kind) {
    case "ParameterDeclaration":
      add(into, into.parameters, { kind: "parameter", ...named(statement), declaration: statement });
      break;
    case "VariableDeclaration":
      add(into, into.variables, { kind: "variable", ...named(statement), declaration: statement });
      break;
    case "TypeDeclaration":
      add(into, into.types, { kind: "type", ...named(statement), declaration: statement });
      break;
    case "FunctionDeclaration":
      add(into, into.functions, { kind: "function", ...named(statement), declaration: statement });
      break;
    case "ResourceDeclaration": {
      const symbol = declareResource(statement, undefined, into.allResources);
      into.all.push(symbol);
      into.resources.push(symbol);
      break;
    }
    case "ModuleDeclaration":
      add(into, into.modules, { kind: "module", ...named(statement), declaration: statement });
      break;
    case "OutputDeclaration":
      add(into, into.outputs, { kind: "output", ...named(statement), declaration: statement });
      break;
    case "MetadataDeclaration":
      add(into, into.metadata, { kind: "metadata", ...named(statement), declaration: statement });
      break;
    case "AssertDeclaration":
      add(into, into.asserts, { kind: "assert", ...named(statement), declaration: statement });
      break;
    case "TestDeclaration":
      add(into, into.tests, { kind: "test", ...named(statement), declaration: statement });
      break;
    case "ImportDeclaration":
      declareImport(into, statement);
      break;
    case "ExtensionDeclaration":
      declareExtension(into, statement, extensionName);
      break;
    case "ParameterAssignment":
      add(into, into.parameterAssignments, {
        kind: "parameterAssignment",
        ...named(statement),
        declaration: statement,
      });
      break;
    case "ExtensionConfiguration":
      add(into, into.extensionConfigurations, {
        kind: "extensionConfiguration",
        name: statement.alias.name,
        nameNode: statement.alias,
        declaration: statement,
      });
      break;
    case "UsingDeclaration":
      into.using ??= statement;
      break;
    case "ExtendsDeclaration":
      into.extends ??= statement;
      break;
    case "TargetScope":
    case "DanglingDecorators":
      break;
    default:
      statement satisfies never;
  }
}

function declareResource(
  declaration: ResourceDeclaration,
  container: ResourceSymbol | undefined,
  all: ResourceSymbol[],
): ResourceSymbol {
  const nested: ResourceSymbol[] = [];
  const symbol: ResourceSymbol = { kind: "resource", ...named(declaration), declaration, container, nested };
  all.push(symbol);
  for (const element of bodyObject(declaration.body)?.elements ?? []) {
    if (element.kind === "ResourceDeclaration") {
      nested.push(declareResource(element, symbol, all));
    }
  }
  return symbol;
}

function declareImport(into: Mutable<Declarations>, statement: ImportDeclaration): void {
  const { what } = statement;
  if (what.kind === "ImportList") {
    for (const item of what.elements) {
      add(into, into.imports, importedSymbol(item, statement));
    }
  } else if (what.kind === "WildcardImport" && what.alias.kind === "AsClause") {
    const { name } = what.alias;
    add(into, into.wildcards, { kind: "wildcard", name: name.name, nameNode: name, declaration: what, statement });
  }
}

function importedSymbol(item: ImportedSymbol["declaration"], statement: ImportDeclaration): ImportedSymbol {
  const original = item.name;
  let originalName = "<missing>";
  if (original.kind === "Identifier") {
    originalName = original.name;
  } else if (original.kind === "StringExpression") {
    originalName = literalText(original) ?? "<missing>";
  }
  const local = item.alias?.name;
  return {
    kind: "imported",
    name: local?.name ?? (original.kind === "Identifier" ? originalName : "<missing>"),
    nameNode: local ?? original,
    declaration: item,
    statement,
    originalName,
  };
}

function declareExtension(
  into: Mutable<Declarations>,
  statement: ExtensionDeclaration,
  extensionName: (declaration: ExtensionDeclaration) => string | undefined,
): void {
  const { alias, specification } = statement;
  const identifier = alias?.kind === "AsClause" ? alias.name : specification;
  const name = identifier.kind === "Identifier" ? identifier.name : (extensionName(statement) ?? "<missing>");
  add(into, into.extensions, { kind: "extension", name, nameNode: identifier, declaration: statement });
}

function add<S extends DeclaredSymbol>(into: Mutable<Declarations>, list: S[], symbol: S): void {
  into.all.push(symbol);
  list.push(symbol);
}

function named(declaration: { readonly name: Identifier }): { readonly name: string; readonly nameNode: Identifier } {
  return { name: declaration.name.name, nameNode: declaration.name };
}

function emptyDeclarations(statements: readonly Statement[]): Mutable<Declarations> {
  return {
    all: [],
    parameters: [],
    variables: [],
    types: [],
    functions: [],
    resources: [],
    allResources: [],
    modules: [],
    outputs: [],
    metadata: [],
    asserts: [],
    tests: [],
    imports: [],
    wildcards: [],
    extensions: [],
    parameterAssignments: [],
    extensionConfigurations: [],
    using: undefined,
    extends: undefined,
    statements: [...statements],
  };
}
