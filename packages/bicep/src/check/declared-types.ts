import type { Node, ObjectExpression, ObjectProperty } from "../syntax/index.ts";
import { arrayOf, collapse, propertyOf, withoutNull } from "../types/index.ts";
import type { FunctionOverload, ObjectType, Type, TypeProperty } from "../types/index.ts";
import type { Checker } from "./checker.ts";
import { keyText, propertyNamed } from "./literals.ts";

/** The type that is expected where a node stands; nothing where anything goes. */
export function expectedTypeAt(checker: Checker, node: Node): Type | undefined {
  switch (node.kind) {
    case "ResourceDeclaration": {
      const symbol = checker.symbolOf(node);
      const type = symbol?.kind === "resource" ? checker.resourceOf(symbol).type : undefined;
      return type === undefined || node.body.kind !== "ForExpression" ? type : arrayOf(type);
    }
    case "ModuleDeclaration":
    case "TestDeclaration": {
      const symbol = checker.symbolOf(node);
      const type = symbol?.kind === "module" || symbol?.kind === "test" ? checker.moduleTypeOf(symbol) : undefined;
      const isLoop = node.kind === "ModuleDeclaration" && node.body.kind === "ForExpression";
      return type === undefined || !isLoop ? type : arrayOf(type);
    }
    case "ParameterDeclaration":
    case "ParameterAssignment": {
      const symbol = checker.symbolOf(node);
      if (symbol?.kind === "parameterAssignment") {
        return checker.usingTemplate?.parameters.get(symbol.name)?.type;
      }
      return symbol === undefined ? undefined : checker.typeOfSymbol(symbol);
    }
    case "VariableDeclaration":
      return node.type === undefined ? undefined : checker.typeOfTypeExpression(node.type);
    case "OutputDeclaration":
      return checker.typeOfTypeExpression(node.type);
    case "ObjectProperty":
      return checker.declaredPropertyOf(node)?.type;
    default:
      return expectedTypeInside(checker, node);
  }
}

/** From what the node is a part of. */
function expectedTypeInside(checker: Checker, node: Node): Type | undefined {
  const parent = checker.parentOf(node);
  switch (parent?.kind) {
    case "ObjectProperty":
      return parent.value === node ? checker.declaredPropertyOf(parent)?.type : undefined;
    case "ArrayItem": {
      const array = checker.parentOf(parent);
      const type = array === undefined ? undefined : nonNullable(checker.declaredTypeOf(array));
      if (type?.kind === "tuple" && array?.kind === "ArrayExpression") {
        return type.items[array.elements.indexOf(parent)];
      }
      return type?.kind === "array" ? type.item : undefined;
    }
    case "ForExpression": {
      const type = parent.body === node ? nonNullable(checker.declaredTypeOf(parent)) : undefined;
      return type?.kind === "array" || type?.kind === "tuple" ? type.item : undefined;
    }
    case "ResourceDeclaration":
    case "ModuleDeclaration":
      return parent.body === node ? checker.declaredTypeOf(parent) : undefined;
    case "TestDeclaration":
    case "OutputDeclaration":
    case "VariableDeclaration":
    case "ParameterAssignment":
      return parent.value === node ? checker.declaredTypeOf(parent) : undefined;
    case "ParameterDefault": {
      const declaration = checker.parentOf(parent);
      return declaration === undefined ? undefined : checker.declaredTypeOf(declaration);
    }
    case "IfCondition":
      return parent.body === node ? checker.declaredTypeOf(parent) : undefined;
    case "TernaryOperation":
      return parent.condition === node ? undefined : checker.declaredTypeOf(parent);
    case "ParenthesizedExpression":
    case "Spread":
      return checker.declaredTypeOf(parent);
    case "FunctionArgument":
      return expectedArgument(checker, parent);
    case "WithClause": {
      const owner = checker.parentOf(parent);
      const symbol = owner?.kind === "ExtensionDeclaration" ? checker.symbolOf(owner) : undefined;
      return symbol?.kind === "extension" ? checker.extensionOf(symbol)?.configuration : undefined;
    }
    case "TypedLambda":
      return parent.body === node ? checker.typeOfTypeExpression(parent.returnType) : undefined;
    default:
      return undefined;
  }
}

/** Only where there is no choice between overloads, which would have to be typed first. */
function expectedArgument(checker: Checker, node: Node): Type | undefined {
  const call = checker.parentOf(node);
  if (call?.kind !== "FunctionCall" && call?.kind !== "InstanceFunctionCall") {
    return undefined;
  }
  const symbol = checker.symbolOf(call);
  let overloads: readonly FunctionOverload[] = [];
  if (symbol?.kind === "builtInFunction") {
    const isDecorator = checker.parentOf(call)?.kind === "Decorator";
    overloads = (isDecorator ? symbol.decorator?.overloads : symbol.overloads) ?? [];
  } else if (symbol?.kind === "function" && checker.cycleOf(symbol) === undefined) {
    const signature = checker.signatureOf(symbol);
    overloads = signature === undefined ? [] : [signature];
  }
  const [only] = overloads;
  const index = call.args.findIndex((argument) => argument === node);
  return overloads.length === 1 && only !== undefined ? only.parameters[index]?.type : undefined;
}

/** What the expected type says about a property of an object literal. */
export function expectedProperty(checker: Checker, property: ObjectProperty): TypeProperty | undefined {
  const name = keyText(property);
  const object = checker.parentOf(property);
  if (name === undefined || object?.kind !== "ObjectExpression") {
    return undefined;
  }
  const type = checker.expectedObject(object);
  return type === undefined ? undefined : memberOf(type, name);
}

/** What an object type says about a name. */
function memberOf(type: ObjectType, name: string): TypeProperty | undefined {
  const declared = type.properties.get(name);
  if (declared !== undefined || type.additional === undefined) {
    return declared;
  }
  return propertyOf(name, type.additional.type, type.additional.flags);
}

/** The object type that a literal is compared with: bodies are opened, and its discriminator picks a member. */
export function chosenObject(checker: Checker, type: Type | undefined, node: ObjectExpression): Type | undefined {
  if (type === undefined) {
    return undefined;
  }
  switch (type.kind) {
    case "resource":
    case "module":
    case "test":
      return chosenObject(checker, type.body, node);
    case "union": {
      const simple = collapse(withoutNull(type) ?? type);
      return simple === undefined || simple.kind === "union" ? undefined : chosenObject(checker, simple, node);
    }
    case "discriminated": {
      const value = propertyNamed(node, type.discriminator)?.value;
      const tag = value === undefined ? undefined : checker.typeOf(value);
      return tag?.kind === "stringLiteral" ? type.members.get(tag.value) : undefined;
    }
    default:
      return type;
  }
}

function nonNullable(type: Type | undefined): Type | undefined {
  return type === undefined ? undefined : (withoutNull(type) ?? type);
}
