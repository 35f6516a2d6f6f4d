import { isToken, nodeText } from "../syntax/index.ts";
import type { ArrayExpression, Lambda, Node, ObjectExpression, TypedLambda } from "../syntax/index.ts";
import type { Printer } from "./printer.ts";

export function isLiteral(node: Node): node is ObjectExpression | ArrayExpression {
  return node.kind === "ObjectExpression" || node.kind === "ArrayExpression";
}

/** A body that is an object or an array stays behind the arrow, however many lines it has, unless a comment is between. */
function isLiteralBody({ body, newlines }: Lambda | TypedLambda): boolean {
  return isLiteral(body) && body.open.leading.length === 0 && newlines.every((token) => token.leading.length === 0);
}

/** At the start of a line these words would start a declaration, and the lambda would have no body. */
const declarationWords: ReadonlySet<string> = new Set([
  "assert",
  "import",
  "metadata",
  "module",
  "output",
  "param",
  "resource",
  "type",
  "var",
]);

/** Whether no line break may go between the arrow and the body. */
export function staysBehindArrow(printer: Printer, lambda: Lambda | TypedLambda): boolean {
  if (isLiteralBody(lambda)) {
    return true;
  }
  const { arrow, newlines } = lambda;
  const first = isToken(arrow) ? printer.file.tokens[arrow.index + newlines.length + 1] : undefined;
  return first !== undefined && first.kind === "identifier" && declarationWords.has(nodeText(printer.file, first));
}
