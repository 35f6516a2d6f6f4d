export { LineMap } from "./line-map.ts";
export type { Position } from "./line-map.ts";
export type * from "./nodes.ts";
export { isMissing, isSkipped, literalText } from "./predicates.ts";
export { nodeText } from "./syntax-file.ts";
export type { SyntaxFile } from "./syntax-file.ts";
export { isToken, Token } from "./tokens.ts";
export type { Comment, Pragma, PragmaCode, PragmaName, Punctuation, TokenKind, Trivia } from "./tokens.ts";
export { forEachChild, forEachPart, parentsOf, walk } from "./walk.ts";
