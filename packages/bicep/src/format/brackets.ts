import { isToken } from "../syntax/index.ts";
import type { Expected, Node, Token } from "../syntax/index.ts";
import { blank, broken, concat, flat, forcesBreak, group, groupBeforeTail, indent, line, tail } from "./doc.ts";
import type { Doc } from "./doc.ts";
import { Entries, joined } from "./entries.ts";
import type { Commas } from "./entries.ts";
import { isLiteral, staysBehindArrow } from "./lambda-body.ts";
import type { Printer } from "./printer.ts";
import { printWithoutLeading } from "./trivia.ts";

/** A pair of brackets. */
interface Brackets {
  readonly open: Token;
  readonly close: Expected;
}

/** A pair of brackets with a list between them. */
interface Bracketed extends Brackets {
  readonly items: readonly (Node | Token)[];
}

interface BracketStyle {
  readonly separator: Doc;
  readonly padding: Doc;
  readonly commas: Commas;
}

const nothing = line("");
const oneBlank = line(" ");
const commaOrLine = line(", ");

/** `{ a, b }` */
export const objectStyle: BracketStyle = { separator: commaOrLine, padding: oneBlank, commas: "dropped" };
/** `[a, b]` */
export const arrayStyle: BracketStyle = { separator: commaOrLine, padding: nothing, commas: "dropped" };
/** `(a, b)` */
export const parameterStyle: BracketStyle = { separator: oneBlank, padding: nothing, commas: "kept" };
/** `[for …]` */
export const loopStyle: BracketStyle = { separator: nothing, padding: nothing, commas: "dropped" };

/** Items on one line if they fit, else one on each line. */
export function printBracket(printer: Printer, node: Bracketed, style: BracketStyle, mustBreak = false): Doc {
  return printEntries(printer, node, new Entries(printer, style.commas).addAll(node.items), style, mustBreak);
}

export function printEntries(
  printer: Printer,
  node: Brackets,
  entries: Entries,
  style: BracketStyle,
  mustBreak = false,
): Doc {
  const docs = entries.closedBy(node.close);
  if (docs.length === 0) {
    return concat([printer.print(node.open), printClose(printer, node.close)]);
  }
  const parts = bracketParts(printer, node, docs, style);
  return mustBreak || docs.some(forcesBreak) ? broken(parts) : group(parts);
}

/** Whether the source breaks the line right after the opening bracket. */
export function startsWithNewline(node: Bracketed): boolean {
  const [first] = node.items;
  return first !== undefined && isToken(first) && first.kind === "newline";
}

/** Items on one line, whatever its length. */
export function printFlatBracket(printer: Printer, node: Bracketed): Doc {
  const docs = new Entries(printer, "kept").addAll(node.items).trimmed();
  return concat([printer.print(node.open), ...joined(docs, blank), printer.print(node.close)]);
}

/** Type arguments: one line of any length, or one argument on each line if something forces that. */
export function printTypeArguments(printer: Printer, node: Bracketed): Doc {
  const docs = new Entries(printer, "kept").addAll(node.items).closedBy(node.close);
  if (docs.length > 0 && (startsWithNewline(node) || docs.some(forcesBreak))) {
    return broken(bracketParts(printer, node, docs, parameterStyle));
  }
  return flat([printer.print(node.open), ...joined(docs, blank), printClose(printer, node.close)]);
}

/**
 * The arguments of a call. A single one hugs the parentheses and breaks as it likes. A last one that is a broken
 * literal follows the others on their line, if those fit.
 */
export function printArguments(printer: Printer, node: Bracketed & { readonly args: readonly Node[] }): Doc {
  const docs = new Entries(printer, "kept").addAll(node.items).closedBy(node.close);
  const last = docs.at(-1);
  if (last === undefined) {
    return concat([printer.print(node.open), printClose(printer, node.close)]);
  }
  const others = docs.slice(0, -1);
  const ownsItsLine = last.startsLine || last.endsInLineComment;
  if (others.length === 0 && !ownsItsLine) {
    return concat([printer.print(node.open), last, printClose(printer, node.close)]);
  }
  if (ownsItsLine || others.some(forcesBreak)) {
    return broken(bracketParts(printer, node, docs, parameterStyle));
  }
  if (!last.breaks) {
    return group(bracketParts(printer, node, docs, parameterStyle));
  }
  const literal = asTail(printer, node.args.at(-1), last);
  return literal === undefined
    ? broken(bracketParts(printer, node, docs, parameterStyle))
    : groupBeforeTail(bracketParts(printer, node, [...others, literal], parameterStyle));
}

function bracketParts(printer: Printer, node: Brackets, docs: readonly Doc[], style: BracketStyle): Doc[] {
  return [
    printer.print(node.open),
    indent([style.padding, ...joined(docs, style.separator)]),
    style.padding,
    printClose(printer, node.close),
  ];
}

/** The comments before a closing bracket are entries of its list. */
function printClose(printer: Printer, close: Expected): Doc {
  return isToken(close) ? printWithoutLeading(printer, close) : printer.print(close);
}

/** An object, an array, or a lambda that returns one, as something that may stay on the line of what precedes it. */
function asTail(printer: Printer, argument: Node | undefined, doc: Doc): Doc | undefined {
  const expression = argument?.kind === "FunctionArgument" ? argument.expression : undefined;
  switch (expression?.kind) {
    case "ObjectExpression":
    case "ArrayExpression":
      return tail(doc);
    case "Lambda":
      return isLiteral(expression.body) ? lambdaTail(doc, staysBehindArrow(printer, expression)) : undefined;
    default:
      return undefined;
  }
}

/** The head of the lambda is measured, its body is the tail; a comment before the body takes both to the next line. */
function lambdaTail(doc: Doc, isBehindArrow: boolean): Doc | undefined {
  const head = doc.parts.slice(0, -1);
  const body = doc.parts.at(-1);
  if (body === undefined || head.some(forcesBreak)) {
    return undefined;
  }
  return isBehindArrow ? concat([...head, tail(body)]) : concat([...head.slice(0, -1), tail(body, 0)]);
}
