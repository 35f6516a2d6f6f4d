import type { Node } from "../nodes.ts";
import type { SyntaxFile } from "../syntax-file.ts";
import { forEachPart } from "../walk.ts";
import { isToken } from "../tokens.ts";
import type { Token } from "../tokens.ts";

/**
 * A tree as one line: `(VariableDeclaration a (IntegerLiteral 1))`. Names and literals are there, keywords, newlines
 * and punctuation are not; operators are.
 */
export function sketch(file: SyntaxFile): string {
  return file.program.statements.map((statement) => sketchNode(file, statement)).join(" ");
}

function sketchNode(file: SyntaxFile, node: Node): string {
  const parts: string[] = [node.kind];
  forEachPart(node, (part) => {
    if (!isToken(part)) {
      parts.push(part.kind === "Identifier" ? part.name : sketchNode(file, part));
    } else if (shows(node, part)) {
      parts.push(file.text.slice(part.start, part.end));
    }
  });
  return `(${parts.join(" ")})`;
}

function shows(node: Node, token: Token): boolean {
  switch (token.kind) {
    case "integer":
    case "true":
    case "false":
    case "stringComplete":
    case "stringLeft":
    case "stringMiddle":
    case "stringRight":
      return true;
    default:
      return (
        ("operatorToken" in node && node.operatorToken === token) ||
        ("safe" in node && node.safe === token) ||
        ("fromEnd" in node && node.fromEnd === token) ||
        ("existing" in node && node.existing === token) ||
        (node.kind === "Skipped" && token.kind !== "newline")
      );
  }
}
