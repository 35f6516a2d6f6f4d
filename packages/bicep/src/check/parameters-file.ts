import { nameDiagnostics } from "../semantics/index.ts";
import type { ParameterAssignmentSymbol, TemplateSource } from "../semantics/index.ts";
import type { ExtensionConfiguration, Statement, UsingDeclaration, WithClause } from "../syntax/index.ts";
import type { Checker } from "./checker.ts";
import { checks } from "./diagnostics.ts";
import { checkConfiguration } from "./extensions.ts";
import { narrow, plainAssignment } from "./narrow.ts";
import { checkStatement, rejectDecorators } from "./statements.ts";

/** Checks a parameters file against the template that it is for. */
export function checkParametersFile(checker: Checker): void {
  const { statements, using } = checker.declarations;
  reportUsing(checker, statements);
  const template = checker.usingTemplate;
  if (checker.declarations.extends !== undefined) {
    checker.typeOfSymbol({ kind: "baseParameters", name: "base", declaration: checker.declarations.extends });
  }
  for (const symbol of checker.declarations.all) {
    if (symbol.name === "base" && symbol.kind !== "extensionConfiguration") {
      checker.report(nameDiagnostics.baseRedeclared(symbol.nameNode));
    }
  }
  for (const statement of statements) {
    checkParametersStatement(checker, statement, template);
  }
  if (template !== undefined && using !== undefined) {
    reportMissing(checker, template, using);
  }
}

function reportUsing(checker: Checker, statements: readonly Statement[]): void {
  const uses = statements.filter((statement) => statement.kind === "UsingDeclaration");
  const bases = statements.filter((statement) => statement.kind === "ExtendsDeclaration");
  if (uses.length === 0) {
    checker.report(nameDiagnostics.usingMissing({ start: 0, end: 0 }));
  }
  if (uses.length > 1) {
    for (const statement of uses) {
      checker.report(nameDiagnostics.usingTwice(statement.keyword));
    }
  }
  if (bases.length > 1) {
    for (const statement of bases) {
      checker.report(nameDiagnostics.extendsTwice(statement.keyword));
    }
  }
}

function checkParametersStatement(checker: Checker, statement: Statement, template: TemplateSource | undefined): void {
  switch (statement.kind) {
    case "UsingDeclaration":
      rejectDecorators(checker, statement);
      if (statement.configuration?.kind === "WithClause") {
        checkUsingConfiguration(checker, statement.configuration);
      }
      break;
    case "ExtendsDeclaration":
      rejectDecorators(checker, statement);
      break;
    case "ParameterAssignment": {
      rejectDecorators(checker, statement);
      const symbol = checker.symbolOf(statement);
      if (symbol?.kind === "parameterAssignment") {
        checkAssignment(checker, symbol, template);
      }
      break;
    }
    case "ExtensionConfiguration":
      checkExtensionConfiguration(checker, statement, template);
      break;
    case "VariableDeclaration":
    case "TypeDeclaration":
    case "FunctionDeclaration":
    case "ImportDeclaration":
    case "DanglingDecorators":
      checkStatement(checker, statement);
      break;
    case "ExtensionDeclaration":
      if (checker.feature("moduleExtensionConfigs")) {
        checkStatement(checker, statement);
      } else {
        checker.report(checks.statementNotAllowed(statement.keyword, "a parameters file"));
      }
      break;
    case "TargetScope":
    case "MetadataDeclaration":
    case "ParameterDeclaration":
    case "ResourceDeclaration":
    case "ModuleDeclaration":
    case "OutputDeclaration":
    case "AssertDeclaration":
    case "TestDeclaration":
      break; // the parser does not let these into a parameters file
    default:
      statement satisfies never;
  }
}

/** What a deployment is told beside its parameters; its values are ordinary ones. */
function checkUsingConfiguration(checker: Checker, clause: WithClause): void {
  if (!checker.feature("deployCommands")) {
    checker.report(checks.featureNeeded(clause, "BCP435", "deployCommands"));
  }
  if (clause.configuration.kind !== "Skipped") {
    checker.typeOf(clause.configuration);
  }
}

function checkAssignment(
  checker: Checker,
  symbol: ParameterAssignmentSymbol,
  template: TemplateSource | undefined,
): void {
  const { declaration, name } = symbol;
  const type = checker.typeOf(declaration.value);
  if (template === undefined) {
    return;
  }
  const parameter = template.parameters.get(name);
  if (parameter === undefined) {
    if (declaration.name.token.kind !== "Skipped") {
      checker.report(checks.parameterUnknown(declaration, name));
    }
    return;
  }
  if (type.kind !== "error" && type.kind !== "null") {
    narrow(checker, declaration.value, parameter.type, plainAssignment(checker));
  }
}

function checkExtensionConfiguration(
  checker: Checker,
  node: ExtensionConfiguration,
  template: TemplateSource | undefined,
): void {
  rejectDecorators(checker, node);
  if (!checker.feature("moduleExtensionConfigs")) {
    checker.report(checks.statementNotAllowed(node.keyword, "a parameters file"));
    return;
  }
  const { configuration } = node;
  const object = configuration.kind === "WithClause" ? configuration.configuration : undefined;
  if (object !== undefined) {
    checker.typeOf(object);
  }
  if (template === undefined || node.alias.token.kind === "Skipped") {
    return;
  }
  const extension = template.extensions.get(node.alias.name);
  if (extension === undefined) {
    checker.report(checks.extensionConfigUnknown(node, node.alias.name));
  } else if (extension.configuration === undefined) {
    checker.report(checks.extensionConfigurationUnknown(node.alias, node.alias.name));
  } else if (object?.kind === "ObjectExpression") {
    checkConfiguration(checker, object, extension.configuration, node.alias.name);
  }
}

/** Parameters that need a value and get none, here or in the file that this one extends. */
function reportMissing(checker: Checker, template: TemplateSource, using: UsingDeclaration): void {
  const given = new Set<string>(checker.baseTemplate?.parameters.keys());
  for (const symbol of checker.declarations.parameterAssignments) {
    if (checker.typeOf(symbol.declaration.value).kind !== "null") {
      given.add(symbol.name);
    } else {
      given.delete(symbol.name);
    }
  }
  const missing = Array.from(template.parameters.values())
    .filter((parameter) => parameter.required && !given.has(parameter.name))
    .map((parameter) => parameter.name)
    .sort();
  if (missing.length > 0) {
    checker.report(checks.parametersMissing(using.path, missing));
  }
  if (!checker.feature("moduleExtensionConfigs")) {
    return;
  }
  const configured = new Set(checker.declarations.extensionConfigurations.map((symbol) => symbol.name));
  const unconfigured = Array.from(template.extensions.values())
    .filter((extension) => extension.required && !configured.has(extension.alias))
    .map((extension) => extension.alias);
  if (unconfigured.length > 0) {
    checker.report(checks.extensionConfigMissing(using.path, unconfigured));
  }
}
