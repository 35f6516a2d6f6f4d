/** Escapes the quote in use, the backslash, control characters and the three exotic line breaks; nothing else. */
export function escapeText(text: string, quote: '"' | "'" = '"'): string {
  const quoteCode = quote.charCodeAt(0);
  let result = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (needsEscape(code, quoteCode)) {
      result += text.slice(from, at) + escapeCharacter(text.charAt(at), code);
      from = at + 1;
    }
  }
  return from === 0 ? text : result + text.slice(from);
}

function needsEscape(code: number, quoteCode: number): boolean {
  return code < 0x20 || code === quoteCode || code === 0x5c || code === 0x85 || code === 0x2028 || code === 0x2029;
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["'", "\\'"],
  ["\\", "\\\\"],
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\f", "\\f"],
  ["\r", "\\r"],
]);

function escapeCharacter(char: string, code: number): string {
  return shortEscapes.get(char) ?? `\\u${code.toString(16).padStart(4, "0")}`;
}
