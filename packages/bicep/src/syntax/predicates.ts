import type { Node, Skipped, StringExpression } from "./nodes.ts";
import { isToken } from "./tokens.ts";
import type { Token } from "./tokens.ts";

/** The value of a string without holes. */
export function literalText(node: StringExpression): string | undefined {
  return node.expressions.length === 0 ? node.segments[0] : undefined;
}

export function isSkipped(part: Node | Token | undefined): part is Skipped {
  return part !== undefined && !isToken(part) && part.kind === "Skipped";
}

/** Nothing was written where this node stands. A `Skipped` node that covers text is an error, but not missing. */
export function isMissing(part: Node | Token | undefined): boolean {
  return isSkipped(part) && part.start === part.end;
}
