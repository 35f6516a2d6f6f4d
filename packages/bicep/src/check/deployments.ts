import { bodyObject } from "../semantics/index.ts";
import type {
  ModuleInfo,
  ModuleSymbol,
  ResourceInfo,
  ResourceParent,
  ResourceSymbol,
  TemplateSource,
  TestSymbol,
} from "../semantics/index.ts";
import { literalText } from "../syntax/index.ts";
import type { ForExpression, ObjectExpression, ParenthesizedExpression, ResourceBody } from "../syntax/index.ts";
import { moduleType, objectOf, PropertyFlags, propertyOf, testType } from "../types/index.ts";
import type { ModuleType, ObjectType, TestType, TypeProperty } from "../types/index.ts";
import type { Checker } from "./checker.ts";
import { propertyNamed } from "./literals.ts";
import type { ResolvedResourceType } from "./resource-types.ts";

/** What a resource declaration says, without looking at types of expressions. */
export function describeResource(
  checker: Checker,
  symbol: ResourceSymbol,
  resolved: ResolvedResourceType | undefined,
): ResourceInfo {
  const { declaration } = symbol;
  const body = bodyObject(declaration.body);
  return {
    symbol,
    typeNode: declaration.type.kind === "StringExpression" ? declaration.type : undefined,
    reference: resolved?.type.reference,
    type: resolved?.type,
    extension: resolved?.extension,
    isAzure: resolved !== undefined && resolved.extension === undefined,
    existing: declaration.existing !== undefined,
    body,
    condition: conditionOf(declaration.body),
    loop: loopOf(declaration.body),
    name: propertyNamed(body, "name")?.value,
    scope: propertyNamed(body, "scope")?.value,
    parent: parentOf(checker, symbol, body),
  };
}

function parentOf(
  checker: Checker,
  symbol: ResourceSymbol,
  body: ObjectExpression | undefined,
): ResourceParent | undefined {
  if (symbol.container !== undefined) {
    return { kind: "nested", symbol: symbol.container, index: undefined, expression: undefined };
  }
  const expression = propertyNamed(body, "parent")?.value;
  if (expression === undefined) {
    return undefined;
  }
  const isItem = expression.kind === "ArrayAccess";
  const target = checker.symbolOf(isItem ? expression.target : expression);
  if (target?.kind !== "resource") {
    return undefined;
  }
  return { kind: "property", symbol: target, index: isItem ? expression.index : undefined, expression };
}

/** What a module or test declaration says. */
export function describeModule(
  checker: Checker,
  symbol: ModuleSymbol | TestSymbol,
  template: TemplateSource | undefined,
): ModuleInfo {
  const { declaration } = symbol;
  const holder = declaration.kind === "ModuleDeclaration" ? declaration.body : declaration.value;
  const body = bodyObject(holder);
  const pathNode = declaration.path.kind === "StringExpression" ? declaration.path : undefined;
  const path = pathNode === undefined ? undefined : literalText(pathNode);
  const params = propertyNamed(body, "params")?.value;
  return {
    symbol,
    path,
    pathNode,
    template,
    templateSpecId: path === undefined ? undefined : checker.environment.templateSpecId(checker.file, path),
    body,
    condition: conditionOf(holder),
    loop: loopOf(holder),
    name: propertyNamed(body, "name")?.value,
    scope: propertyNamed(body, "scope")?.value,
    params: params?.kind === "ObjectExpression" ? params : undefined,
  };
}

/** The type of a module or test of this template. */
export function typeOfTemplate(
  checker: Checker,
  symbol: ModuleSymbol | TestSymbol,
  template: TemplateSource,
): ModuleType | TestType {
  const parameters = Array.from(template.parameters.values(), (parameter): TypeProperty => {
    const flags = PropertyFlags.WriteOnly | (parameter.required ? PropertyFlags.Required : 0);
    return propertyOf(parameter.name, parameter.type, flags, parameter.description);
  });
  if (symbol.kind === "test") {
    return testType(parameters);
  }
  const outputs = Array.from(template.outputs.values(), (output) =>
    propertyOf(output.name, output.type, PropertyFlags.ReadOnly, output.description),
  );
  return moduleType({
    parameters,
    outputs,
    targetScopes: template.targetScope,
    scopeRequired: template.targetScope !== 0 && (template.targetScope & checker.targetScope) === 0,
    extensionConfigs: checker.feature("moduleExtensionConfigs") ? extensionConfigs(template) : undefined,
  });
}

function extensionConfigs(template: TemplateSource): ObjectType {
  const properties: TypeProperty[] = [];
  for (const extension of template.extensions.values()) {
    if (extension.configuration !== undefined) {
      const flags = PropertyFlags.WriteOnly | (extension.required ? PropertyFlags.Required : 0);
      properties.push(propertyOf(extension.alias, extension.configuration, flags));
    }
  }
  return objectOf(properties, { name: "extensionConfigs" });
}

function conditionOf(body: ResourceBody): ParenthesizedExpression | undefined {
  const inner = body.kind === "ForExpression" ? body.body : body;
  return inner.kind === "IfCondition" && inner.condition.kind === "ParenthesizedExpression"
    ? inner.condition
    : undefined;
}

function loopOf(body: ResourceBody): ForExpression | undefined {
  return body.kind === "ForExpression" ? body : undefined;
}
