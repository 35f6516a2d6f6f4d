import type {
  ArrayExpression,
  ForExpression,
  FunctionCall,
  InstanceFunctionCall,
  Lambda,
  ObjectExpression,
  ObjectProperty,
  StringExpression,
  TernaryOperation,
  Token,
  UnaryOperation,
  UnaryTypeOperation,
} from "../syntax/index.ts";
import {
  arrayStyle,
  loopStyle,
  objectStyle,
  printArguments,
  printBracket,
  printEntries,
  startsWithNewline,
} from "./brackets.ts";
import { blank, concat, empty, group, indent, line, spaced, text } from "./doc.ts";
import type { Doc } from "./doc.ts";
import { Entries } from "./entries.ts";
import { staysBehindArrow } from "./lambda-body.ts";
import { glued, words } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { leadingParts, ownLine, sourceText, trailingParts } from "./trivia.ts";

const oneBlank = line(" ");
const nothing = line("");

/** Strings are never broken or indented. Holes stay as they are, but for the blanks after the brace that opens one. */
export function printString(printer: Printer, node: StringExpression): Doc {
  const first = node.tokens[0];
  const last = node.tokens.at(-1);
  if (first === undefined || last === undefined) {
    return empty;
  }
  if (first === last) {
    return printer.print(first);
  }
  const pieces: string[] = [];
  for (const [at, token] of node.tokens.entries()) {
    const next = node.tokens[at + 1];
    pieces.push(sourceText(printer, token));
    if (next !== undefined) {
      pieces.push(sourceText(printer, { start: token.end, end: next.start }).trimStart());
    }
  }
  return concat([
    ...leadingParts(printer, first.leading),
    text(pieces.join("")),
    ...trailingParts(printer, last.trailing),
  ]);
}

/** One line if the source does not break right after the brace; spreads and nested resources do not count there. */
export function printObject(printer: Printer, node: ObjectExpression): Doc {
  const mustBreak = startsWithNewline(node) && node.elements.some((element) => element.kind === "ObjectProperty");
  return printBracket(printer, node, objectStyle, mustBreak);
}

export function printObjectProperty(printer: Printer, node: ObjectProperty): Doc {
  return spaced([glued(printer, node.key, node.colon), printer.print(node.value)]);
}

/** One line if the source does not break right after the bracket; spreads do not count there. */
export function printArray(printer: Printer, node: ArrayExpression): Doc {
  const mustBreak = startsWithNewline(node) && node.elements.some((element) => element.kind === "ArrayItem");
  return printBracket(printer, node, arrayStyle, mustBreak);
}

export function printFor(printer: Printer, node: ForExpression): Doc {
  const variables = words(printer, node.forKeyword, node.variables, node.inKeyword);
  const source = glued(printer, node.source, node.colon);
  const entries = new Entries(printer).addAll(node.openNewlines);
  entries.addItem(spaced([variables, source, printer.print(node.body)]));
  entries.addAll(node.closeNewlines);
  return printEntries(printer, node, entries, loopStyle);
}

export function printCall(printer: Printer, node: FunctionCall): Doc {
  return concat([printer.print(node.name), printArguments(printer, node)]);
}

export function printInstanceCall(printer: Printer, node: InstanceFunctionCall): Doc {
  const name = glued(printer, node.target, node.dot, node.safe, node.name);
  return concat([name, printArguments(printer, node)]);
}

/** A comment behind the operator is parted from the operand. */
export function printUnary(printer: Printer, node: UnaryOperation | UnaryTypeOperation): Doc {
  const { operatorToken, operand } = node;
  return operatorToken.trailing.length > 0
    ? words(printer, operatorToken, operand)
    : glued(printer, operatorToken, operand);
}

export function printTernary(printer: Printer, node: TernaryOperation): Doc {
  return group([
    indent([
      printer.print(node.condition),
      ...commentLines(printer, node.questionNewlines),
      oneBlank,
      printer.print(node.question),
      blank,
      indent([printer.print(node.whenTrue)]),
      ...commentLines(printer, node.colonNewlines),
      oneBlank,
      printer.print(node.colon),
      blank,
      indent([printer.print(node.whenFalse)]),
    ]),
  ]);
}

/** A body that is a literal stays behind the arrow. Any other goes to the next line if it does not fit. */
export function printLambda(printer: Printer, node: Lambda): Doc {
  const head = [printer.print(node.parameters), blank, printer.print(node.arrow), blank];
  const body = printer.print(node.body);
  if (staysBehindArrow(printer, node)) {
    return concat([...head, body]);
  }
  return concat([...head, group([indent([...commentLines(printer, node.newlines), nothing, body])])]);
}

/** The comments between two parts of something that may break there, each on a line of its own. */
export function commentLines(printer: Printer, newlines: readonly Token[]): readonly Doc[] {
  const parts: Doc[] = [];
  for (const token of newlines) {
    if (token.leading.length > 0) {
      parts.push(nothing, ownLine(printer, token.leading));
    }
  }
  return parts;
}
