import { Lexer } from "yaml";

/** Whether a text has more than `maxTokens`. The parser takes its time for each; a long text may be one alone. */
export function hasMoreTokens(text: string, maxTokens: number): boolean {
  let tokens = 0;
  for (const _ of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > maxTokens) {
      return true;
    }
  }
  return false;
}
