import { isToken } from "../syntax/index.ts";
import type { Node, SyntaxFile } from "../syntax/index.ts";
import {
  arrayStyle,
  objectStyle,
  parameterStyle,
  printBracket,
  printFlatBracket,
  startsWithNewline,
} from "./brackets.ts";
import { printDecorated } from "./decorators.ts";
import { broken, empty } from "./doc.ts";
import type { Doc } from "./doc.ts";
import type { LineStyle } from "./format-options.ts";
import * as expressions from "./print-expressions.ts";
import { printDeclaration } from "./print-statements.ts";
import * as types from "./print-types.ts";
import { glued, words } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { printToken } from "./trivia.ts";
import { printVerbatim } from "./verbatim.ts";

export function createPrinter(file: SyntaxFile, style: LineStyle): Printer {
  const printer: Printer = {
    file,
    style,
    print: (part) => (isToken(part) ? printToken(printer, part) : printNode(printer, part)),
  };
  return printer;
}

// One place that knows every kind, so the printers of single kinds need not know one another.
function printNode(printer: Printer, node: Node): Doc {
  const { print } = printer;
  switch (node.kind) {
    case "Skipped":
      return printVerbatim(printer, node);
    case "Program":
    case "DanglingDecorators":
      return empty; // printed part by part
    case "Identifier":
      return print(node.token);

    case "Decorator":
      return broken([print(node.at), print(node.expression)]); // nothing may follow it on its line
    case "TargetScope":
    case "MetadataDeclaration":
    case "ParameterDeclaration":
    case "VariableDeclaration":
    case "TypeDeclaration":
    case "FunctionDeclaration":
    case "ResourceDeclaration":
    case "ModuleDeclaration":
    case "OutputDeclaration":
    case "ImportDeclaration":
    case "ExtensionDeclaration":
    case "AssertDeclaration":
    case "TestDeclaration":
    case "UsingDeclaration":
    case "ExtendsDeclaration":
    case "ParameterAssignment":
    case "ExtensionConfiguration":
      return printDeclaration(printer, node);
    case "ParameterDefault":
      return words(printer, node.assignment, node.value);
    case "IfCondition":
      return words(printer, node.keyword, node.condition, node.body);
    case "ImportList":
      return printBracket(printer, node, objectStyle, startsWithNewline(node) && node.elements.length > 0);
    case "ImportedSymbol":
      return words(printer, node.name, node.alias);
    case "WildcardImport":
      return words(printer, node.star, node.alias);
    case "AsClause":
      return words(printer, node.keyword, node.name);
    case "ImportFrom":
      return words(printer, node.keyword, node.path);
    case "WithClause":
      return words(printer, node.keyword, node.configuration);

    case "BooleanLiteral":
    case "NullLiteral":
    case "IntegerLiteral":
    case "IntegerTypeLiteral":
    case "BooleanTypeLiteral":
    case "NullTypeLiteral":
      return print(node.token);
    case "StringExpression":
      return expressions.printString(printer, node);
    case "StringTypeLiteral":
      return print(node.value);
    case "ObjectExpression":
      return expressions.printObject(printer, node);
    case "ObjectProperty":
      return expressions.printObjectProperty(printer, node);
    case "Spread":
      return glued(printer, node.ellipsis, node.expression);
    case "ArrayExpression":
      return expressions.printArray(printer, node);
    case "ArrayItem":
      return print(node.value);
    case "ForExpression":
      return expressions.printFor(printer, node);
    case "ForVariableBlock":
      return printFlatBracket(printer, node);
    case "LocalVariable":
    case "VariableAccess":
    case "TypeReference":
      return print(node.name);
    case "PropertyAccess":
      return glued(printer, node.target, node.dot, node.safe, node.name);
    case "ResourceAccess":
      return glued(printer, node.target, node.doubleColon, node.name);
    case "ArrayAccess":
      return glued(printer, node.target, node.open, node.safe, node.fromEnd, node.index, node.close);
    case "NonNullAssertion":
      return glued(printer, node.target, node.bang);
    case "FunctionCall":
      return expressions.printCall(printer, node);
    case "InstanceFunctionCall":
      return expressions.printInstanceCall(printer, node);
    case "FunctionArgument":
      return print(node.expression);
    case "UnaryOperation":
    case "UnaryTypeOperation":
      return expressions.printUnary(printer, node);
    case "BinaryOperation":
      return words(printer, node.left, node.operatorToken, node.right);
    case "TernaryOperation":
      return expressions.printTernary(printer, node);
    case "ParenthesizedExpression":
      return glued(printer, node.open, node.expression, node.close);
    case "ParenthesizedType":
      return glued(printer, node.open, node.type, node.close);
    case "Lambda":
      return expressions.printLambda(printer, node);
    case "LambdaParameters":
    case "TypedParameters":
      return printBracket(printer, node, parameterStyle);
    case "TypedLambda":
      return types.printTypedLambda(printer, node);
    case "TypedParameter":
      return words(printer, node.name, node.type);

    case "TypePropertyAccess":
      return glued(printer, node.target, node.dot, node.name);
    case "TypeAdditionalPropertiesAccess":
      return glued(printer, node.target, node.dot, node.star);
    case "TypeArrayAccess":
      return glued(printer, node.target, node.open, node.index, node.close);
    case "TypeItemsAccess":
      return glued(printer, node.target, node.open, node.star, node.close);
    case "ArrayType":
      return glued(printer, node.item, node.open, node.close);
    case "NullableType":
      return types.printNullable(printer, node);
    case "NonNullableType":
      return glued(printer, node.base, node.bang);
    case "TypeInstantiation":
    case "InstanceTypeInstantiation":
      return types.printTypeInstantiation(printer, node);
    case "TypeArgument":
      return types.printTypeOnLine(printer, node.type);
    case "UnionTypeMember":
      return print(node.type);
    case "ResourceType":
      return words(printer, node.keyword, node.type);
    case "ObjectType":
      return types.printObjectType(printer, node);
    case "ObjectTypeProperty":
      return types.printObjectTypeProperty(printer, node);
    case "ObjectTypeAdditionalProperties":
      return types.printAdditionalProperties(printer, node);
    case "TupleType":
      // Unlike an array, a tuple that fits on one line goes there however it was written.
      return printBracket(printer, node, arrayStyle);
    case "TupleTypeItem":
      return printDecorated(printer, node, types.printTypeOnLine(printer, node.type));
    case "UnionType":
      return types.printUnion(printer, node);
    default:
      return node satisfies never;
  }
}
