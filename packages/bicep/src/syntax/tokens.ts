import type { Span } from "../diagnostic.ts";

/** Punctuation is its own kind; the words name the rest. Keywords other than the three literals are identifiers. */
export type TokenKind = Punctuation | StringPieceKind | WordKind;

export type Punctuation =
  | "{"
  | "}"
  | "("
  | ")"
  | "["
  | "]"
  | "@"
  | ","
  | "."
  | "..."
  | "?"
  | "??"
  | ":"
  | "::"
  | ";"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "^"
  | "!"
  | "!="
  | "!~"
  | "<"
  | "<="
  | ">"
  | ">="
  | "="
  | "=="
  | "=~"
  | "=>"
  | "&&"
  | "||"
  | "|";

/** A string without holes is complete; one with holes is a left piece, middle pieces and a right piece. */
export type StringPieceKind = "stringComplete" | "stringLeft" | "stringMiddle" | "stringRight";

export type WordKind = "identifier" | "integer" | "true" | "false" | "null" | "newline" | "endOfFile" | "unrecognized";

/** A comment or pragma. Blanks are not kept: they are whatever lies between two spans. */
export type Trivia = Comment | Pragma;

export interface Comment extends Span {
  readonly kind: "lineComment" | "blockComment";
}

export interface Pragma extends Span {
  readonly kind: "pragma";
  readonly name: PragmaName;
  /** The diagnostic codes it names, as written. */
  readonly codes: readonly PragmaCode[];
}

export type PragmaName = "disable-next-line" | "disable-diagnostics" | "restore-diagnostics";

export interface PragmaCode extends Span {
  readonly text: string;
}

/** Most tokens have no trivia and share this list. */
export const noTrivia: readonly Trivia[] = [];

/** One token. Its span excludes the trivia around it; a newline token covers a whole run of line breaks. */
export class Token implements Span {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** The place in `SyntaxFile.tokens`, so that neighbours are one step away. */
  readonly index: number;
  /** Comments and pragmas before the token that do not belong to the one before it. */
  readonly leading: readonly Trivia[];
  /** Comments after the token on its line; only names, literals and closing tokens have any. */
  readonly trailing: readonly Trivia[];

  // Six plain arguments rather than an options object: this runs once for every few characters of source.
  constructor(
    kind: TokenKind,
    start: number,
    end: number,
    index: number,
    leading: readonly Trivia[],
    trailing: readonly Trivia[],
  ) {
    this.kind = kind;
    this.start = start;
    this.end = end;
    this.index = index;
    this.leading = leading;
    this.trailing = trailing;
  }
}

export function isToken(part: object | undefined): part is Token {
  return part instanceof Token;
}
