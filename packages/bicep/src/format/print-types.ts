import { isToken } from "../syntax/index.ts";
import type {
  InstanceTypeInstantiation,
  NullableType,
  ObjectType,
  ObjectTypeAdditionalProperties,
  ObjectTypeProperty,
  TypedLambda,
  TypeExpression,
  TypeInstantiation,
  UnionType,
} from "../syntax/index.ts";
import { isLiteralBody, objectStyle, printBracket, printTypeArguments, startsWithNewline } from "./brackets.ts";
import { printDecorated } from "./decorators.ts";
import { blank, choice, concat, empty, group, indent, line, spaced, text } from "./doc.ts";
import type { Doc } from "./doc.ts";
import { commentLines } from "./print-expressions.ts";
import { glued, words } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { leadingParts, trailingParts } from "./trivia.ts";

const oneBlank = line(" ");
const nothing = line("");
const firstBar = choice("| ", "");
const nextBar = text("| ");

export function printObjectType(printer: Printer, node: ObjectType): Doc {
  return printBracket(printer, node, objectStyle, startsWithNewline(node) && node.elements.length > 0);
}

export function printObjectTypeProperty(printer: Printer, node: ObjectTypeProperty): Doc {
  const key = glued(printer, node.key, node.colon);
  return printDecorated(printer, node, spaced([key, printer.print(node.type)]));
}

export function printAdditionalProperties(printer: Printer, node: ObjectTypeAdditionalProperties): Doc {
  const key = glued(printer, node.star, node.colon);
  return printDecorated(printer, node, spaced([key, printer.print(node.type)]));
}

export function printTypeInstantiation(printer: Printer, node: TypeInstantiation | InstanceTypeInstantiation): Doc {
  const name =
    node.kind === "TypeInstantiation" ? printer.print(node.name) : glued(printer, node.target, node.dot, node.name);
  return concat([name, printTypeArguments(printer, node)]);
}

/** Members in a row, or each behind a bar on its own line. The bar before the first is there only in the second form. */
export function printUnion(printer: Printer, node: UnionType): Doc {
  return printMembers(printer, node, nothing, firstBar);
}

/** The type of a variable has to start on the line of the variable's name. */
export function printVariableType(printer: Printer, type: TypeExpression): Doc {
  return type.kind === "UnionType" ? printMembers(printer, type, empty, empty) : printer.print(type);
}

function printMembers(printer: Printer, node: UnionType, firstSeparator: Doc, firstBar: Doc): Doc {
  const parts: Doc[] = [];
  let comments: Doc[] = [];
  let bar = firstBar;
  let separator = firstSeparator;
  for (const item of node.items) {
    if (isToken(item) && item.kind === "newline") {
      // Only one newline may stand before a bar, so a comment there cannot have a line of its own.
      parts.push(...trailingParts(printer, item.leading));
    } else if (isToken(item)) {
      comments = [...leadingParts(printer, item.leading)];
    } else {
      parts.push(separator, ...comments, bar, printer.print(item));
      comments = [];
      separator = oneBlank;
      bar = nextBar;
    }
  }
  return group([indent(parts)]);
}

/** `type?` */
export function printNullable(printer: Printer, node: NullableType): Doc {
  const { base, question } = node;
  // Two question marks side by side would be an operator.
  return base.kind === "NullableType" ? words(printer, base, question) : glued(printer, base, question);
}

/** What follows the name of a function: parameters, the type of the result, and the body like that of a lambda. */
export function printTypedLambda(printer: Printer, node: TypedLambda): Doc {
  const head = words(printer, node.parameters, node.returnType);
  const arrow = printer.print(node.arrow);
  const body = printer.print(node.body);
  if (isLiteralBody(node)) {
    return spaced([head, arrow, body]);
  }
  return spaced([head, group([indent([arrow, blank, ...commentLines(printer, node.newlines), nothing, body])])]);
}
