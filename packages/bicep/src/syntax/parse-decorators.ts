import { syntaxErrors } from "./diagnostics.ts";
import type { Decorated, Decorator, Skipped } from "./nodes.ts";
import { callArguments, functionCall, Literals } from "./parse-expressions.ts";
import type { Parser, Terminators } from "./parser.ts";
import type { Token } from "./tokens.ts";

export type Decorators = Pick<Decorated, "leading" | "decorators">;

const none: Decorators = { leading: [], decorators: [] };
const lineEnd: Terminators = ["newline"];

/** The decorators in front of a declaration, a type member or a tuple item, each on lines of its own. */
export function decorators(parser: Parser): Decorators {
  if (!parser.at("@")) {
    return none;
  }
  const leading: (Decorator | Skipped | Token)[] = [];
  const found: Decorator[] = [];
  while (parser.at("@")) {
    const at = parser.take();
    const expression = parser.recover(decoratorExpression, undefined, lineEnd);
    const decorator: Decorator = {
      kind: "Decorator",
      id: parser.nextId(),
      start: at.start,
      end: expression.end,
      at,
      expression,
    };
    found.push(decorator);
    leading.push(decorator, expectLineEnd(parser));
    parser.takeNewlinesInto(leading);
  }
  return { leading, decorators: found };
}

/** Where a declaration or member starts: at its first decorator, if it has any. */
export function startOf(before: Decorators, otherwise: number): number {
  return before.leading[0]?.start ?? otherwise;
}

/** A newline, or everything up to and including one. */
function expectLineEnd(parser: Parser): Skipped | Token {
  const newline = parser.takeIf("newline");
  if (newline !== undefined) {
    return newline;
  }
  const from = parser.position;
  parser.report(syntaxErrors.expectedNewline(parser.next));
  parser.skipTo(lineEnd);
  parser.take();
  return parser.skippedFrom(from);
}

/** Names, members and calls; the rest of the expression language means nothing here. */
function decoratorExpression(parser: Parser): Decorator["expression"] {
  const first = parser.expectIdentifier(syntaxErrors.expectedDecoratorName);
  const { start } = first;
  let target: Exclude<Decorator["expression"], Skipped> = parser.at("(")
    ? functionCall(parser, first, Literals.allowed)
    : { kind: "VariableAccess", id: parser.nextId(), start, end: first.end, name: first };
  for (let chain = 1; parser.at("."); chain += 1) {
    const dot = parser.take();
    const safe = undefined;
    const name = parser.markIdentifier(syntaxErrors.expectedMemberName);
    if (parser.at("(")) {
      const open = parser.take();
      const { items, elements: args, close } = callArguments(parser, Literals.allowed);
      const { end } = close;
      target = {
        kind: "InstanceFunctionCall",
        id: parser.nextId(),
        start,
        end,
        target,
        dot,
        safe,
        name,
        open,
        items,
        args,
        close,
      };
    } else {
      target = { kind: "PropertyAccess", id: parser.nextId(), start, end: name.end, target, dot, safe, name };
    }
    parser.noteChain(chain);
  }
  return target;
}
