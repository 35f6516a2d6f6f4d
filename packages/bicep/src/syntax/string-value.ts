import { Char } from "./characters.ts";
import { countRun } from "./scan-string.ts";
import type { Token } from "./tokens.ts";

/**
 * What the pieces of a well-formed string stand for: quotes, dollars and braces removed, escapes resolved. In a
 * multi-line string there are no escapes, and a line break right after the opening quotes does not count.
 */
export function stringSegments(text: string, tokens: readonly Token[]): string[] {
  const first = tokens[0];
  if (first === undefined) {
    return [];
  }
  const dollars = countRun(text, first.start, Char.Dollar);
  const isMultiline = text.startsWith("'''", first.start + dollars);
  if (!isMultiline) {
    return tokens.map((token) => resolveEscapes(text.slice(token.start + 1, token.end - tailLength(token, 1, 1))));
  }
  return tokens.map((token) => {
    const start = token === first ? skipLineBreak(text, first.start + dollars + 3) : token.start + 1;
    return text.slice(start, token.end - tailLength(token, 3, dollars));
  });
}

/** How many characters end a piece: the closing quotes, or the dollars and the brace of a hole. */
function tailLength(token: Token, quotes: number, dollars: number): number {
  return token.kind === "stringComplete" || token.kind === "stringRight" ? quotes : dollars + 1;
}

function skipLineBreak(text: string, start: number): number {
  if (text.startsWith("\r\n", start)) {
    return start + 2;
  }
  return text.charCodeAt(start) === Char.LineFeed ? start + 1 : start;
}

function resolveEscapes(raw: string): string {
  let escape = raw.indexOf("\\");
  if (escape < 0) {
    return raw;
  }
  let value = "";
  let copied = 0;
  while (escape >= 0) {
    value += raw.slice(copied, escape);
    const char = raw.charAt(escape + 1);
    if (char === "u") {
      const close = raw.indexOf("}", escape);
      value += String.fromCodePoint(Number.parseInt(raw.slice(escape + 3, close), 16));
      copied = close + 1;
    } else {
      value += simpleEscapes.get(char) ?? char;
      copied = escape + 2;
    }
    escape = raw.indexOf("\\", copied);
  }
  return value + raw.slice(copied);
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
