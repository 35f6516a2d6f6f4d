/**
 * Whether a piece of Bicep can end here: no bracket, no text over several lines and no comment is still open. What is
 * wrong in other ways counts as complete, so that it is reported.
 */
export function isBalanced(text: string): boolean {
  /** What closes what is open, the innermost last. */
  const open: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (open.at(-1) === "'") {
      at = afterStringPart(text, at, open);
    } else if (text.startsWith("//", at)) {
      at = indexOrEnd(text, "\n", at);
    } else if (text.startsWith("/*", at) || text.startsWith("'''", at)) {
      const end = text.indexOf(character === "'" ? "'''" : "*/", at + (character === "'" ? 3 : 2));
      if (end < 0) {
        return false;
      }
      at = end + (character === "'" ? 2 : 1);
    } else if (character === "'") {
      open.push("'");
    } else if (character in closing) {
      open.push(closing[character] ?? "");
    } else if (character === open.at(-1)) {
      open.pop();
    }
  }
  return open.length === 0 || open.at(-1) === "'";
}

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Within a string: an escape, the beginning of an interpolation, the end of the string, or one more character. */
function afterStringPart(text: string, at: number, open: string[]): number {
  if (text[at] === "\\") {
    return at + 1;
  }
  if (text.startsWith("${", at)) {
    open.push("}");
    return at + 1;
  }
  if (text[at] === "'" || text[at] === "\n") {
    open.pop(); // a string never goes on in the next line
  }
  return at;
}

function indexOrEnd(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at < 0 ? text.length : at;
}
