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
  Trivia,
  UnionType,
} from "../syntax/index.ts";
import { objectStyle, printBracket, printTypeArguments, startsWithNewline } from "./brackets.ts";
import { printDecorated } from "./decorators.ts";
import { blank, choice, concat, empty, group, indent, line, spaced, text } from "./doc.ts";
import type { Doc } from "./doc.ts";
import { commentLines } from "./print-expressions.ts";
import { staysBehindArrow } from "./lambda-body.ts";
import { glued, words } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { leadingParts, startsWithPragma, trailingParts } from "./trivia.ts";

const noTrivia: readonly Trivia[] = [];
const oneBlank = line(" ");
const nothing = line("");
const optionalBar = choice("| ", "");
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
  return printMembers(printer, node, nothing, optionalBar);
}

/** A type in a place where a line break before it would end what it belongs to, or join it to what precedes it. */
export function printTypeOnLine(printer: Printer, type: TypeExpression): Doc {
  return type.kind === "UnionType" ? printMembers(printer, type, empty, empty) : printer.print(type);
}

function printMembers(printer: Printer, node: UnionType, firstLine: Doc, firstBar: Doc): Doc {
  const parts: Doc[] = [];
  let separator = firstLine;
  let bar = firstBar;
  let newlineTrivia: readonly Trivia[] = noTrivia;
  let barTrivia: readonly Trivia[] = noTrivia;
  for (const item of node.items) {
    if (isToken(item) && item.kind === "newline") {
      newlineTrivia = item.leading;
    } else if (isToken(item)) {
      barTrivia = item.leading;
    } else {
      const canMove = separator === firstLine && canPrecedeBar(newlineTrivia, barTrivia);
      if (!canMove) {
        parts.push(...trailingParts(printer, newlineTrivia));
      }
      const comments = canMove ? [...newlineTrivia, ...barTrivia] : barTrivia;
      parts.push(separator, ...leadingParts(printer, comments), bar, printer.print(item));
      separator = oneBlank;
      bar = nextBar;
      newlineTrivia = noTrivia;
      barTrivia = noTrivia;
    }
  }
  return group([indent(parts)]);
}

/**
 * Only one newline may stand before a bar, so a comment before that newline cannot have a line of its own. It stays
 * behind what precedes it, or goes before the bar if it lets something follow it there.
 */
function canPrecedeBar(newlineTrivia: readonly Trivia[], barTrivia: readonly Trivia[]): boolean {
  return newlineTrivia.at(-1)?.kind !== "lineComment" && !startsWithPragma(barTrivia);
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
  if (staysBehindArrow(printer, node)) {
    return spaced([head, arrow, body]);
  }
  return spaced([head, group([indent([arrow, blank, ...commentLines(printer, node.newlines), nothing, body])])]);
}
