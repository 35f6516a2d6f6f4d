import { forEachPart, isToken, nodeText } from "../../syntax/index.ts";
import type { Node, SyntaxFile, Token } from "../../syntax/index.ts";

/** A tree without spans and without what layout may change: newlines, commas and the bars of unions. */
export function outline(file: SyntaxFile, node: Node = file.program): string {
  if (node.kind === "UnionType" && node.members.length === 1 && node.members[0] !== undefined) {
    return outline(file, node.members[0].type); // it had nothing but a bar before it
  }
  const parts: string[] = [];
  forEachPart(node, (part) => {
    if (!isToken(part)) {
      parts.push(outline(file, part));
    } else if (isSignificant(part)) {
      parts.push(nodeText(file, part).replaceAll("\r\n", "\n"));
    }
  });
  return `${node.kind}(${parts.join(" ")})`;
}

/** All comments and pragmas in order, with single blanks in the latter. */
export function commentsOf(file: SyntaxFile): string[] {
  return file.tokens
    .flatMap((token) => [...token.leading, ...token.trailing])
    .map((trivia) =>
      trivia.kind === "pragma"
        ? ["#", trivia.name, ...trivia.codes.map((code) => code.text)].join(" ")
        : nodeText(file, trivia).replaceAll("\r\n", "\n"),
    );
}

function isSignificant(token: Token): boolean {
  return token.kind !== "newline" && token.kind !== "," && token.kind !== "|";
}
