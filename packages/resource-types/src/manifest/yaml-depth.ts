import { Lexer } from "yaml";

/** The lexer's mark before a scalar, which may look like anything. */
const scalarMark = "\u001f";
/** With those of a document's beginning and of a broken list's end: none of them is in the text. */
const marks: ReadonlySet<string> = new Set([scalarMark, "\u0002", "\u0018"]);

/**
 * Where a text nests deeper than `maxDepth`, as an offset; `undefined` if it does not. The parser is recursive, and would
 * run out of stack; the lexer is not, and is stopped as soon as the answer is known. In block style each column where
 * something begins counts as a level, which is never less than there are and seldom more.
 */
export function findTooDeep(text: string, maxDepth: number): number | undefined {
  if (mostLevels(text) <= maxDepth) {
    return undefined;
  }
  const columns: number[] = [];
  let flowDepth = 0;
  let offset = 0;
  let lineStart = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (!isScalar && marks.has(token)) {
      isScalar = token === scalarMark;
      continue;
    }
    const isContent = isScalar || token.trim() !== "";
    if (!isScalar && (token === "[" || token === "{")) {
      flowDepth += 1;
    } else if (!isScalar && (token === "]" || token === "}")) {
      flowDepth -= 1;
    } else if (isContent && flowDepth === 0) {
      const column = offset - lineStart;
      while ((columns.at(-1) ?? -1) >= column) {
        columns.pop();
      }
      columns.push(column);
    }
    if (columns.length + flowDepth > maxDepth) {
      return offset;
    }
    isScalar = false;
    offset += token.length;
    const lineEnd = token.lastIndexOf("\n");
    if (lineEnd !== -1) {
      lineStart = offset - token.length + lineEnd + 1;
    }
  }
  return undefined;
}

/** No text has more levels than its longest line has columns, plus one for each bracket; lexing takes longer to say so. */
function mostLevels(text: string): number {
  let longest = 0;
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    longest = Math.max(longest, end - start);
    start = end + 1;
  }
  return Math.max(longest, text.length - start) + (text.match(/[[{]/g)?.length ?? 0);
}
