import type { DiagnosticSink } from "../diagnostic.ts";
import { Char, isHexDigit, isLineBreak } from "./characters.ts";
import { syntaxErrors } from "./diagnostics.ts";

/** Where scanning stands; the string functions move `at` past what they read. */
export interface StringCursor extends DiagnosticSink {
  readonly text: string;
  at: number;
}

/**
 * How a piece of a string ended: with its closing quote, with a hole, or not at all. `malformed` pieces may still be
 * followed by others.
 */
export interface PieceEnd {
  readonly opensHole: boolean;
  readonly malformed: boolean;
}

const closed: PieceEnd = { opensHole: false, malformed: false };
const hole: PieceEnd = { opensHole: true, malformed: false };
const malformedEnd: PieceEnd = { opensHole: false, malformed: true };
const malformedHole: PieceEnd = { opensHole: true, malformed: true };

const maxCodePoint = 0x10ffff;

/** Reads a piece of a `'…'` string, `cursor.at` being behind its first character (`'` or `}`). */
export function scanStringPiece(cursor: StringCursor, start: number): PieceEnd {
  const { text } = cursor;
  let malformed = false;
  while (cursor.at < text.length) {
    const char = text.charCodeAt(cursor.at);
    if (char === Char.Quote) {
      cursor.at += 1;
      return malformed ? malformedEnd : closed;
    }
    if (char === Char.Dollar && text.charCodeAt(cursor.at + 1) === Char.OpenBrace) {
      cursor.at += 2;
      return malformed ? malformedHole : hole;
    }
    if (isLineBreak(char)) {
      cursor.report(syntaxErrors.stringBrokenByNewline({ start, end: cursor.at }));
      return malformedEnd;
    }
    if (char !== Char.Backslash) {
      cursor.at += 1;
    } else if (cursor.at + 1 === text.length) {
      cursor.at += 1;
      cursor.report(syntaxErrors.escapeAtEnd({ start, end: cursor.at }));
      return malformedEnd;
    } else if (!scanEscape(cursor)) {
      malformed = true;
    }
  }
  cursor.report(syntaxErrors.unclosedString({ start, end: text.length }));
  return malformedEnd;
}

/**
 * Reads a piece of a `'''…'''` string, `cursor.at` being behind its opening or behind the `}` of a hole. Holes open
 * with exactly as many dollars as the string started with, so there are none when that is 0.
 */
export function scanMultilinePiece(cursor: StringCursor, start: number, dollars: number): PieceEnd {
  const { text } = cursor;
  while (cursor.at < text.length) {
    const char = text.charCodeAt(cursor.at);
    if (char === Char.Quote) {
      const quotes = countRun(text, cursor.at, Char.Quote);
      cursor.at += quotes;
      if (quotes >= 3) {
        return closed;
      }
    } else if (char === Char.Dollar && dollars > 0) {
      const run = countRun(text, cursor.at, Char.Dollar);
      cursor.at += run;
      if (run >= dollars && text.charCodeAt(cursor.at) === Char.OpenBrace) {
        cursor.at += 1;
        return hole;
      }
    } else {
      cursor.at += 1;
    }
  }
  cursor.report(syntaxErrors.unclosedMultilineString({ start, end: text.length }));
  return malformedEnd;
}

export function countRun(text: string, start: number, char: number): number {
  let end = start;
  while (text.charCodeAt(end) === char) {
    end += 1;
  }
  return end - start;
}

/** Reads one escape sequence; `false` when it is none, after reporting why. */
function scanEscape(cursor: StringCursor): boolean {
  const start = cursor.at;
  const char = cursor.text.charCodeAt(start + 1);
  cursor.at += 2;
  if (char === Char.LowerU) {
    return scanUnicodeEscape(cursor, start);
  }
  if (isSimpleEscape(char)) {
    return true;
  }
  const span = { start, end: cursor.at };
  cursor.report(syntaxErrors.unknownEscape(span, cursor.text.slice(start, cursor.at)));
  return false;
}

function scanUnicodeEscape(cursor: StringCursor, start: number): boolean {
  const { text } = cursor;
  let valid = false;
  if (text.charCodeAt(cursor.at) === Char.OpenBrace) {
    cursor.at += 1;
    const digits = cursor.at;
    while (isHexDigit(text.charCodeAt(cursor.at))) {
      cursor.at += 1;
    }
    if (cursor.at > digits && text.charCodeAt(cursor.at) === Char.CloseBrace) {
      cursor.at += 1;
      valid = Number.parseInt(text.slice(digits, cursor.at - 1), 16) <= maxCodePoint;
    }
  }
  // Where the text ends here, the string that never closes is all there is to say.
  if (!valid && cursor.at < text.length) {
    cursor.report(syntaxErrors.badUnicodeEscape({ start, end: cursor.at }));
  }
  return valid;
}

function isSimpleEscape(char: number): boolean {
  switch (String.fromCharCode(char)) {
    case "n":
    case "r":
    case "t":
    case "\\":
    case "'":
    case "$":
      return true;
    default:
      return false;
  }
}
