import type { Diagnostic, Span } from "../diagnostic.ts";
import { Char, isBlank, isDigit, isLineBreak, isNamePart, isNameStart } from "./characters.ts";
import { maxDiagnostics, syntaxErrors } from "./diagnostics.ts";
import { scanPragma } from "./scan-pragma.ts";
import { countRun, scanMultilinePiece, scanStringPiece } from "./scan-string.ts";
import { noTrivia, Token } from "./tokens.ts";
import type { Comment, Pragma, StringPieceKind, TokenKind, Trivia } from "./tokens.ts";

export interface ScanResult {
  /** Together with the blanks between them, and their trivia, these are the text. The last one is the end of file. */
  readonly tokens: readonly Token[];
  readonly endOfFile: Token;
  readonly pragmas: readonly Pragma[];
  readonly diagnostics: readonly Diagnostic[];
  /** The pieces of strings that have no value: not closed, or with a bad escape. */
  readonly malformedStrings: ReadonlySet<Token>;
}

export function scan(text: string): ScanResult {
  return new Scanner(text).run();
}

const maxIdentifierLength = 255;

/** How much of a strange token a message quotes. */
const maxExcerpt = 20;

/** On the stack of open holes: a brace that was opened inside one. */
const braceInHole = -1;

class Scanner {
  readonly text: string;
  at = 0;
  readonly #tokens: Token[] = [];
  readonly #pragmas: Pragma[] = [];
  readonly #malformed = new Set<Token>();
  readonly #diagnostics: Diagnostic[] = [];

  /**
   * For each `${` that waits for its `}`: the dollars of the multi-line string it is in, or 0 in a `'…'` string. A `{`
   * inside a hole lies on top of it and stays there to the end of the line, because holes hold no object literals; so
   * the next `}` does not close the hole by mistake.
   */
  #holes: number[] = [];
  #pieceIsMalformed = false;

  constructor(text: string) {
    this.text = text;
  }

  report(diagnostic: Diagnostic): void {
    if (this.#diagnostics.length < maxDiagnostics) {
      this.#diagnostics.push(diagnostic);
    }
  }

  run(): ScanResult {
    if (this.text.charCodeAt(0) === Char.ByteOrderMark) {
      this.at = 1;
    }
    let last = this.#scanToken();
    while (last.kind !== "endOfFile") {
      last = this.#scanToken();
    }
    return {
      endOfFile: last,
      tokens: this.#tokens,
      pragmas: this.#pragmas,
      diagnostics: this.#diagnostics,
      malformedStrings: this.#malformed,
    };
  }

  #scanToken(): Token {
    const leading = this.#scanTrivia(this.#isAtLineStart());
    const start = this.at;
    const kind = this.#scanKind();
    const end = this.at;
    const trailing = takesTrailingComments(kind) ? this.#scanTrivia(false) : noTrivia;
    const token = new Token(kind, start, end, this.#tokens.length, leading, trailing);
    this.#tokens.push(token);
    if (this.#pieceIsMalformed) {
      this.#malformed.add(token);
      this.#pieceIsMalformed = false;
    }
    return token;
  }

  // ------------------------------------------------------------------------------------------ trivia

  #isAtLineStart(): boolean {
    const { length } = this.#tokens;
    return length === 0 || this.#tokens[length - 1]?.kind === "newline";
  }

  /** A pragma counts only as the first thing on its line, before any comment. */
  #scanTrivia(mayStartWithPragma: boolean): readonly Trivia[] {
    let found: Trivia[] | undefined;
    for (;;) {
      this.#skipBlanks();
      const char = this.text.charCodeAt(this.at);
      let trivia: Trivia | undefined;
      if (char === Char.Slash) {
        trivia = this.#scanComment();
      } else if (char === Char.Hash && mayStartWithPragma && found === undefined) {
        trivia = this.#scanPragma();
      }
      if (trivia === undefined) {
        return found ?? noTrivia;
      }
      found ??= [];
      found.push(trivia);
    }
  }

  #skipBlanks(): void {
    while (isBlank(this.text.charCodeAt(this.at))) {
      this.at += 1;
    }
  }

  #scanComment(): Comment | undefined {
    const { text } = this;
    const start = this.at;
    const second = text.charCodeAt(start + 1);
    if (second === Char.Slash) {
      let end = start + 2;
      while (end < text.length && !isLineBreak(text.charCodeAt(end))) {
        end += 1;
      }
      this.at = end;
      return { kind: "lineComment", start, end };
    }
    if (second !== Char.Star) {
      return undefined;
    }
    const close = text.indexOf("*/", start + 2);
    const end = close < 0 ? text.length : close + 2;
    if (close < 0) {
      this.report(syntaxErrors.unclosedComment({ start, end }));
    }
    this.at = end;
    return { kind: "blockComment", start, end };
  }

  #scanPragma(): Pragma | undefined {
    const pragma = scanPragma(this.text, this.at);
    if (pragma === undefined) {
      return undefined;
    }
    this.at = pragma.end;
    this.#pragmas.push(pragma);
    if (pragma.codes.length === 0) {
      this.#skipBlanks();
      this.report(syntaxErrors.pragmaWithoutCodes({ start: this.at, end: this.at }));
    }
    return pragma;
  }

  // ------------------------------------------------------------------------------------------ tokens

  /** Moves past one token and says what it was. */
  #scanKind(): TokenKind {
    const { text, at } = this;
    if (at >= text.length) {
      return "endOfFile";
    }
    const char = text.charCodeAt(at);
    if (isNameStart(char)) {
      return this.#scanName();
    }
    this.at = at + 1;
    switch (char) {
      case Char.LineFeed:
      case Char.CarriageReturn:
        return this.#scanNewline();
      case Char.Quote:
        return this.#scanString(at, 0);
      case 0x28: // (
        return "(";
      case 0x29: // )
        return ")";
      case 0x5b: // [
        return "[";
      case 0x5d: // ]
        return "]";
      case Char.OpenBrace:
        return this.#scanOpenBrace();
      case Char.CloseBrace:
        return this.#scanCloseBrace();
      case 0x3a: // :
        return this.#follows(0x3a) ? "::" : ":";
      case Char.Dot:
        return this.#scanDots();
      case 0x2c: // ,
        return ",";
      case Char.Equals:
        return this.#scanEquals();
      case 0x40: // @
        return "@";
      case 0x3f: // ?
        return this.#follows(0x3f) ? "??" : "?";
      case 0x21: // !
        return this.#scanBang();
      case 0x3b: // ;
        return ";";
      case 0x2b: // +
        return "+";
      case 0x2d: // -
        return "-";
      case Char.Star:
        return "*";
      case Char.Slash:
        return "/";
      case 0x25: // %
        return "%";
      case 0x5e: // ^
        return "^";
      case 0x3c: // <
        return this.#follows(Char.Equals) ? "<=" : "<";
      case 0x3e: // >
        return this.#follows(Char.Equals) ? ">=" : ">";
      case 0x7c: // |
        return this.#follows(0x7c) ? "||" : "|";
      case 0x26: // &
        return this.#follows(0x26) ? "&&" : this.#unrecognized(at);
      case Char.Dollar:
        return this.#scanDollars(at);
      case Char.DoubleQuote:
        this.report(syntaxErrors.doubleQuote(this.#from(at)));
        return "unrecognized";
      default:
        return isDigit(char) ? this.#scanInteger() : this.#unrecognized(at);
    }
  }

  #follows(char: number): boolean {
    if (this.text.charCodeAt(this.at) !== char) {
      return false;
    }
    this.at += 1;
    return true;
  }

  #from(start: number): Span {
    return { start, end: this.at };
  }

  #unrecognized(start: number): TokenKind {
    const excerpt = this.text.slice(start, Math.min(this.at, start + maxExcerpt));
    this.report(syntaxErrors.unknownToken(this.#from(start), excerpt));
    return "unrecognized";
  }

  #scanName(): TokenKind {
    const { text, at: start } = this;
    let end = start + 1;
    while (isNamePart(text.charCodeAt(end))) {
      end += 1;
    }
    this.at = end;
    if (end - start > maxIdentifierLength) {
      this.report(syntaxErrors.identifierTooLong({ start, end }));
    }
    return literalWord(text, start, end) ?? "identifier";
  }

  #scanInteger(): TokenKind {
    while (isDigit(this.text.charCodeAt(this.at))) {
      this.at += 1;
    }
    return "integer";
  }

  #scanDots(): TokenKind {
    if (this.text.charCodeAt(this.at) === Char.Dot && this.text.charCodeAt(this.at + 1) === Char.Dot) {
      this.at += 2;
      return "...";
    }
    return ".";
  }

  #scanEquals(): TokenKind {
    if (this.#follows(Char.Equals)) {
      return "==";
    }
    if (this.#follows(Char.Tilde)) {
      return "=~";
    }
    return this.#follows(0x3e) ? "=>" : "=";
  }

  #scanBang(): TokenKind {
    if (this.#follows(Char.Equals)) {
      return "!=";
    }
    return this.#follows(Char.Tilde) ? "!~" : "!";
  }

  /** A line break inside a hole cuts the whole string off: first comes an empty piece that ends it. */
  #scanNewline(): TokenKind {
    if (this.#holes.length > 0) {
      this.#holes = [];
      this.at -= 1;
      this.report(syntaxErrors.stringBrokenByNewline(this.#from(this.at)));
      this.#pieceIsMalformed = true;
      return "stringRight";
    }
    while (isLineBreak(this.text.charCodeAt(this.at))) {
      this.at += 1;
    }
    return "newline";
  }

  // ------------------------------------------------------------------------------------------ strings

  #scanDollars(start: number): TokenKind {
    const dollars = countRun(this.text, start, Char.Dollar);
    this.at = start + dollars;
    if (!this.text.startsWith("'''", this.at)) {
      return this.#unrecognized(start);
    }
    this.at += 1;
    return this.#scanString(start, dollars);
  }

  /** Reads the first piece of a string, the first quote of which is behind us. */
  #scanString(start: number, dollars: number): TokenKind {
    if (this.text.startsWith("''", this.at)) {
      this.at += 2;
      const opensHole = this.#scanPiece(start, dollars, true);
      return this.#firstPiece(opensHole, dollars);
    }
    return this.#firstPiece(this.#scanPiece(start, 0, false), 0);
  }

  #firstPiece(opensHole: boolean, dollars: number): StringPieceKind {
    if (!opensHole) {
      return "stringComplete";
    }
    this.#holes.push(dollars);
    return "stringLeft";
  }

  #scanPiece(start: number, dollars: number, isMultiline: boolean): boolean {
    const end = isMultiline ? scanMultilinePiece(this, start, dollars) : scanStringPiece(this, start);
    this.#pieceIsMalformed = end.malformed;
    return end.opensHole;
  }

  #scanOpenBrace(): TokenKind {
    if (this.#holes.length > 0) {
      this.#holes.push(braceInHole);
    }
    return "{";
  }

  #scanCloseBrace(): TokenKind {
    const dollars = this.#holes.at(-1);
    if (dollars === undefined || dollars === braceInHole) {
      return "}";
    }
    if (this.#scanPiece(this.at - 1, dollars, dollars > 0)) {
      return "stringMiddle";
    }
    this.#holes.pop();
    return "stringRight";
  }
}

function literalWord(text: string, start: number, end: number): "true" | "false" | "null" | undefined {
  if (end - start === 4) {
    if (text.startsWith("true", start)) {
      return "true";
    }
    return text.startsWith("null", start) ? "null" : undefined;
  }
  return end - start === 5 && text.startsWith("false", start) ? "false" : undefined;
}

/** After other tokens a comment belongs to what follows it. */
function takesTrailingComments(kind: TokenKind): boolean {
  switch (kind) {
    case "identifier":
    case "integer":
    case "true":
    case "false":
    case "null":
    case "stringComplete":
    case "stringRight":
    case ")":
    case "]":
    case "}":
    case "?":
    case "!":
      return true;
    default:
      return false;
  }
}
