import { syntaxErrors } from "./diagnostics.ts";
import type { Expected, Node, Skipped } from "./nodes.ts";
import { silences } from "./parser.ts";
import type { Parser, Terminators } from "./parser.ts";
import { Token } from "./tokens.ts";

/** What stands between two brackets: all of it, and the elements alone. */
export interface ListParts<T extends Node> {
  readonly items: readonly (T | Skipped | Token)[];
  readonly elements: readonly T[];
}

const nothing: ListParts<never> = { items: [], elements: [] };

/**
 * The elements of an array, object, object type, tuple or import list, up to the closing bracket. A newline or a comma
 * separates them, but not a comma and a newline. The caller expects the bracket, without recovery.
 */
export function newlineList<T extends Node>(
  parser: Parser,
  close: "]" | "}",
  element: (parser: Parser) => T,
): ListParts<T> {
  if (parser.at(close)) {
    return nothing;
  }
  const items: (T | Skipped | Token)[] = [];
  const elements: T[] = [];
  parser.takeNewlinesInto(items);
  while (!parser.at(close) && !parser.at("endOfFile")) {
    const one = element(parser);
    items.push(one);
    elements.push(one);
    switch (parser.next.kind) {
      case close:
      case "endOfFile":
        break;
      case "newline":
        parser.takeNewlinesInto(items);
        break;
      case ",":
        items.push(parser.take());
        if (parser.at("newline")) {
          items.push(parser.mark(syntaxErrors.newlineAfterComma), parser.take());
        }
        break;
      default:
        items.push(parser.mark(syntaxErrors.expectedSeparator));
    }
  }
  return { items, elements };
}

/**
 * The arguments of a call or of a parameterised type, up to and including the closing bracket. Commas separate them,
 * newlines may follow commas. This never raises: a bracket that is missing is reported and left missing.
 */
export function argumentList<T extends Node>(
  parser: Parser,
  close: ")" | ">",
  argument: (parser: Parser) => T,
): ListParts<T> & { readonly close: Expected } {
  const immediate = parser.takeIf(close);
  if (immediate !== undefined) {
    return { items: nothing.items, elements: nothing.elements, close: immediate };
  }
  const items: (T | Skipped | Token)[] = [];
  const elements: T[] = [];
  parser.takeNewlinesInto(items);
  let isAfterComma = false;
  while (!parser.at("endOfFile") && (isAfterComma || !parser.at(close))) {
    const one = argument(parser);
    items.push(one);
    elements.push(one);
    isAfterComma = false;
    if (parser.at(close) || parser.at("endOfFile")) {
      break;
    }
    if (parser.at(",")) {
      items.push(parser.take());
      parser.takeNewlinesInto(items);
      isAfterComma = true;
    } else if (parser.at("newline")) {
      const { kind } = parser.aheadPastNewlines(1);
      if (kind === "endOfFile") {
        break;
      }
      if (kind !== close) {
        items.push(parser.mark(syntaxErrors.expectedComma));
      }
      parser.takeNewlinesInto(items);
    } else {
      items.push(parser.mark(syntaxErrors.expectedSeparator));
    }
  }
  const end = parser.takeIf(close) ?? parser.mark((span) => syntaxErrors.expectedCharacter(span, close));
  return { items, elements, close: end };
}

/** What stands between parentheses, whatever it turns out to be. */
export interface ParenthesisParts<T extends Node> {
  readonly open: Token;
  readonly items: readonly (T | Skipped | Token)[];
  readonly close: Expected;
}

const itemEnd: Terminators = ["stringRight", "}", ")", "]", "newline", ","];
const parenthesisEnd: Terminators = ["stringRight", "}", "]", "newline"];

/** Items between parentheses with commas between them: a parenthesis, or the variables of a lambda or a loop. */
export function parenthesisList<A, T extends Node>(
  parser: Parser,
  item: (parser: Parser, argument: A) => T,
  argument: A,
  mayBreakLines: boolean,
): ParenthesisParts<T> {
  const open = parser.expect("(");
  const items: (T | Skipped | Token)[] = [];
  if (mayBreakLines) {
    parser.takeNewlinesInto(items);
  }
  while (!parser.at(")")) {
    items.push(parser.recover(item, argument, itemEnd));
    if (mayBreakLines) {
      parser.takeNewlinesInto(items);
    }
    if (!parser.at(",")) {
      break;
    }
    items.push(parser.take());
    if (mayBreakLines) {
      parser.takeNewlinesInto(items);
    }
  }
  const close = parser.recoverToken(")", parenthesisEnd, silences(items.at(-1)));
  return { open, items, close };
}

/** What a plain parenthesis holds: its one item, or all of them skipped when they are more or none. */
export function onlyItem<T extends Node>(parser: Parser, parts: ParenthesisParts<T>): T | Skipped {
  const [first] = parts.items;
  if (first !== undefined && parts.items.length === 1 && !(first instanceof Token)) {
    return first;
  }
  const start = first?.start ?? parts.open.end;
  const end = parts.items.at(-1)?.end ?? start;
  parser.report(syntaxErrors.expectedOneInParentheses({ start, end }));
  return { kind: "Skipped", id: parser.nextId(), start, end, items: parts.items };
}
