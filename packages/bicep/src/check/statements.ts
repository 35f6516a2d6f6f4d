import type {
  AssertDeclaration,
  Decorated,
  FunctionDeclaration,
  MetadataDeclaration,
  ModuleDeclaration,
  Node,
  OutputDeclaration,
  ParameterDeclaration,
  ResourceDeclaration,
  Statement,
  TargetScope,
  TestDeclaration,
  TypeDeclaration,
  TypeExpression,
  VariableDeclaration,
} from "../syntax/index.ts";
import { arrayOf, boolType, isAssignable, isNullable, stringLiteral, unionOf } from "../types/index.ts";
import type { Type } from "../types/index.ts";
import type { Checker } from "./checker.ts";
import { checkConstant } from "./constants.ts";
import { checkDanglingDecorators, checkDecorators, checkTypeDecorators } from "./decorators.ts";
import type { DecoratorTarget } from "./decorators.ts";
import { checks } from "./diagnostics.ts";
import { notExportable } from "./exports.ts";
import { checkConfigEntries, checkExtension } from "./extensions.ts";
import { checkDefaultImports, checkImport } from "./imports.ts";
import { propertyNamed } from "./literals.ts";
import { narrow, plainAssignment } from "./narrow.ts";

/** Checks one statement of a template. */
export function checkStatement(checker: Checker, node: Statement): void {
  switch (node.kind) {
    case "TargetScope":
      checkTargetScope(checker, node);
      break;
    case "MetadataDeclaration":
      checkMetadata(checker, node);
      break;
    case "ParameterDeclaration":
      checkParameter(checker, node);
      break;
    case "VariableDeclaration":
      checkVariable(checker, node);
      break;
    case "TypeDeclaration":
      checkType(checker, node);
      break;
    case "FunctionDeclaration":
      checkFunction(checker, node);
      break;
    case "ResourceDeclaration":
      checkResource(checker, node);
      break;
    case "ModuleDeclaration":
    case "TestDeclaration":
      checkModule(checker, node);
      break;
    case "OutputDeclaration":
      checkOutput(checker, node);
      break;
    case "AssertDeclaration":
      checkAssert(checker, node);
      break;
    case "ImportDeclaration":
      checkImport(checker, node);
      checkAnyDecorators(checker, node, plainTarget);
      break;
    case "ExtensionDeclaration":
      checkExtension(checker, node);
      checkAnyDecorators(checker, node, plainTarget);
      break;
    case "DanglingDecorators":
      checkDanglingDecorators(checker, node);
      break;
    case "UsingDeclaration":
    case "ExtendsDeclaration":
    case "ParameterAssignment":
    case "ExtensionConfiguration":
      rejectDecorators(checker, node);
      break;
    default:
      node satisfies never;
  }
}

/** Statements that take no decorators at all. */
export function rejectDecorators(checker: Checker, node: Decorated): void {
  const [first] = node.decorators;
  if (first !== undefined) {
    checker.report(checks.decoratorsNotAllowed(first.at));
  }
}

/** What decorators are checked against where there is no type. */
function plainTarget(changes: Partial<DecoratorTarget> = {}): DecoratorTarget {
  return {
    type: undefined,
    written: undefined,
    isTopLevel: true,
    isLoop: false,
    isExisting: false,
    notExportable: () => [],
    ...changes,
  };
}

function checkTargetScope(checker: Checker, node: TargetScope): void {
  rejectDecorators(checker, node);
  const names = ["tenant", "managementGroup", "subscription", "resourceGroup"];
  if (checker.feature("localDeploy")) {
    names.push("local");
  }
  narrow(checker, node.value, unionOf(names.map((name) => stringLiteral(name))), plainAssignment(checker));
}

function checkMetadata(checker: Checker, node: MetadataDeclaration): void {
  checkAnyDecorators(checker, node, plainTarget);
  const type = checker.typeOf(node.value);
  if (type.kind === "namespace") {
    checker.report(checks.namespaceInVariable(node.value, type));
  } else if (type.kind !== "error") {
    checkConstant(checker, node.value);
  }
}

function checkParameter(checker: Checker, node: ParameterDeclaration): void {
  const written = checkWrittenType(checker, node.type);
  const symbol = checker.symbolOf(node);
  const type = symbol === undefined ? written : checker.typeOfSymbol(symbol);
  checkAnyDecorators(checker, node, () => plainTarget({ type: written, written: node.type }));
  checkAllowedItems(checker, node, written);
  if (node.modifier?.kind !== "ParameterDefault") {
    return;
  }
  const { value } = node.modifier;
  checkDefaultImports(checker, value);
  if (checker.typeOf(value).kind === "error" || type.kind === "error") {
    return;
  }
  if (isNullable(written)) {
    checker.report(checks.nullableDefault(node.modifier));
  }
  narrow(checker, value, type, plainAssignment(checker));
}

/** The items of `@allowed` are values of the parameter; those of an array parameter are items of it. */
function checkAllowedItems(checker: Checker, node: ParameterDeclaration, type: Type): void {
  const decorator = checker.decoratorsOf(node).find((item) => item.definition.name === "allowed");
  const list = decorator?.args[0]?.expression;
  if (list === undefined || type.kind === "error") {
    return;
  }
  const listType = checker.typeOf(list);
  const hasArrays = listType.kind === "tuple" && listType.items.some((item) => item.kind === "tuple");
  if (type.kind !== "array" || hasArrays) {
    narrow(checker, list, arrayOf(type), plainAssignment(checker));
  }
}

function checkVariable(checker: Checker, node: VariableDeclaration): void {
  if (node.type !== undefined) {
    checkWrittenType(checker, node.type);
  }
  checker.typeOf(node.value);
  const symbol = checker.symbolOf(node);
  if (symbol !== undefined && checker.cycleOf(symbol) === undefined) {
    checker.typeOfSymbol(symbol);
  }
  checkAnyDecorators(checker, node, () => exportTarget(checker, node));
}

function checkType(checker: Checker, node: TypeDeclaration): void {
  const symbol = checker.symbolOf(node);
  const cycle = symbol?.kind === "type" ? checker.typeCycleOf(symbol) : undefined;
  if (cycle !== undefined) {
    checker.report(cycle.length === 1 ? checks.selfType(node.name) : checks.cyclicType(node.name, cycle));
    checker.decoratorsOf(node);
    checker.typeOfTypeExpression(node.value);
    return;
  }
  const written = checkWrittenType(checker, node.value);
  checkAnyDecorators(checker, node, () => ({ ...exportTarget(checker, node), type: written, written: node.value }));
}

function checkFunction(checker: Checker, node: FunctionDeclaration): void {
  checkAnyDecorators(checker, node, () => exportTarget(checker, node));
  const { lambda } = node;
  if (lambda.kind === "Skipped") {
    return;
  }
  const returns = checkWrittenType(checker, lambda.returnType);
  const type = checker.typeOf(lambda.body);
  if (type.kind !== "error" && returns.kind !== "error") {
    narrow(checker, lambda.body, returns, plainAssignment(checker));
  }
}

function checkOutput(checker: Checker, node: OutputDeclaration): void {
  const written = checkWrittenType(checker, node.type);
  checkAnyDecorators(checker, node, () => plainTarget({ type: written, written: node.type }));
  const type = checker.typeOf(node.value);
  if (written.kind !== "error" && type.kind !== "error") {
    narrow(checker, node.value, checker.refinedTypeOf(node, written), plainAssignment(checker));
  }
}

function checkAssert(checker: Checker, node: AssertDeclaration): void {
  checkAnyDecorators(checker, node, plainTarget);
  if (!checker.feature("assertions")) {
    checker.report(checks.featureNeeded(node, "BCP349", "assertions"));
  }
  const type = checker.typeOf(node.value);
  if (type.kind !== "error" && !isAssignable(type, boolType)) {
    checker.report(checks.assertNotBool(node.value, type));
  }
}

function checkResource(checker: Checker, node: ResourceDeclaration): void {
  const symbol = checker.symbolOf(node);
  if (symbol?.kind !== "resource") {
    return;
  }
  if (checker.resourceOf(symbol).type !== undefined) {
    checker.typeOf(node.body);
    if (checker.cycleOf(symbol) === undefined) {
      checker.typeOfSymbol(symbol);
    }
  }
  checkAnyDecorators(checker, node, () =>
    plainTarget({
      isTopLevel: symbol.container === undefined,
      isLoop: node.body.kind === "ForExpression",
      isExisting: node.existing !== undefined,
    }),
  );
  for (const child of symbol.nested) {
    checkResource(checker, child.declaration);
  }
  checkDanglingInside(checker, node);
}

function checkDanglingInside(checker: Checker, node: ResourceDeclaration): void {
  const symbol = checker.symbolOf(node);
  const body = symbol?.kind === "resource" ? checker.resourceOf(symbol).body : undefined;
  for (const element of body?.elements ?? []) {
    if (element.kind === "DanglingDecorators") {
      checkDanglingDecorators(checker, element);
    }
  }
}

function checkModule(checker: Checker, node: ModuleDeclaration | TestDeclaration): void {
  const symbol = checker.symbolOf(node);
  if (symbol?.kind !== "module" && symbol?.kind !== "test") {
    return;
  }
  if (symbol.kind === "test" && !checker.feature("testFramework")) {
    checker.report(checks.featureNeeded(node, "BCP348", "testFramework"));
  }
  const info = checker.moduleOf(symbol);
  if (info.template !== undefined) {
    checker.typeOf(node.kind === "ModuleDeclaration" ? node.body : node.value);
    if (checker.cycleOf(symbol) === undefined) {
      checker.typeOfSymbol(symbol);
    }
    for (const name of ["params", "extensionConfigs"]) {
      const value = propertyNamed(info.body, name)?.value;
      if (value !== undefined && value.kind !== "ObjectExpression" && value.kind !== "Skipped") {
        checker.report(checks.paramsNotObject(value, name));
      }
      if (name === "extensionConfigs" && value?.kind === "ObjectExpression") {
        checkConfigEntries(checker, value);
      }
    }
  }
  const isLoop = info.loop !== undefined;
  checkAnyDecorators(checker, node, () => plainTarget({ isLoop }));
}

/** Checks a type expression with all that is inside of it. */
function checkWrittenType(checker: Checker, node: TypeExpression): Type {
  const type = checker.typeOfTypeExpression(node);
  checkTypeDecorators(checker, node);
  return type;
}

function exportTarget(checker: Checker, node: Node): DecoratorTarget {
  return plainTarget({ notExportable: () => notExportable(checker, node) });
}

/** Checks decorators, if there are any, against a target that is only made then. */
function checkAnyDecorators(checker: Checker, node: Node & Decorated, target: () => DecoratorTarget): void {
  if (node.decorators.length > 0) {
    checkDecorators(checker, node, target());
  }
}
