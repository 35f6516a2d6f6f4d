import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { TemplateError } from "../template-error.ts";
import { parseExpression, parseTemplateString } from "./expression-parser.ts";
import { printExpression, printLiteral } from "./expression-printer.ts";
import type { Expression } from "./expression.ts";

const literals: readonly (readonly [text: string, value: string])[] = [
  ["plain", "plain"],
  ["", ""],
  ["[x", "[x"],
  ["x]", "x]"],
  ["[[x", "[[x"],
  ["[[x]", "[x]"],
  ["[[[x]", "[[x]"],
  [" [x()]", " [x()]"],
];

for (const [text, value] of literals) {
  it(`the string ${JSON.stringify(text)} is the literal ${JSON.stringify(value)}`, () => {
    assert.deepEqual(parseTemplateString(text), { kind: "literal", value });
  });
}

const mistakes: readonly (readonly [text: string, position: number])[] = [
  ["[]", 1],
  ["[a]", 2],
  ["[a(]", 3],
  ["[a(1]", 4],
  ["[a(1,)]", 5],
  ["[a(1 2)]", 5],
  ["[a() b()]", 5],
  ["['open]", 1],
  ["[a('it''s)]", 3],
  ["[-]", 2],
  ["[99999999999999999999]", 1],
  ["[a().]", 5],
  ["[a()[1)]", 6],
  ["[a.b.c()]", 4],
  ["['text'.length]", 7],
  ["[1.5]", 2],
  ["[ns.()]", 4],
];

for (const [text, position] of mistakes) {
  it(`${text} is refused at offset ${position}`, () => {
    assert.throws(() => parseExpression(text), { code: "ExpressionSyntax", position });
  });
}

it("an expression is read with the position of each part", () => {
  const expression = parseExpression("[ ns.f('it''s', -1) . p [ 'k' ] ]");

  assert.deepEqual(expression, {
    kind: "index",
    base: {
      kind: "property",
      base: {
        kind: "call",
        namespace: "ns",
        name: "f",
        args: [
          { kind: "string", value: "it's", position: 7 },
          { kind: "integer", value: -1n, position: 16 },
        ],
        position: 2,
      },
      name: "p",
      position: 20,
    },
    index: { kind: "string", value: "k", position: 26 },
    position: 24,
  });
});

it("an expression that is too long or too deep is refused by its limit", () => {
  const deep = `[${"not(".repeat(5_000)}true()${")".repeat(5_000)}]`;
  const chain = `[a()${".b".repeat(5_000)}]`;
  const long = `['${"x".repeat(25_000)}']`;

  for (const text of [deep, chain, long]) {
    assert.throws(() => parseExpression(text), { code: "LimitExceeded" });
  }
});

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/);
const { expression } = fc.letrec<{ expression: Expression; call: Expression; access: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 5 },
    fc.string({ unit: "binary" }).map((value) => ({ kind: "string" as const, value, position: 0 })),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map((value) => ({ kind: "integer" as const, value, position: 0 })),
    tie("call"),
    tie("access"),
  ),
  call: fc.record({
    kind: fc.constant("call" as const),
    namespace: fc.option(name, { nil: undefined }),
    name,
    args: fc.array(tie("expression"), { maxLength: 3 }),
    position: fc.constant(0),
  }),
  access: fc.oneof(
    { maxDepth: 5 },
    tie("call"),
    fc.record({ kind: fc.constant("property" as const), base: tie("access"), name, position: fc.constant(0) }),
    fc.record({
      kind: fc.constant("index" as const),
      base: tie("access"),
      index: tie("expression"),
      position: fc.constant(0),
    }),
  ),
}));

it("printing an expression and parsing it gives the expression back", () => {
  fc.assert(
    fc.property(expression, (tree) => {
      assert.deepEqual(withoutPositions(parseExpression(printExpression(tree))), withoutPositions(tree));
    }),
  );
});

it("printing a literal and parsing it gives the literal back", () => {
  const bracketed = fc.string({ unit: fc.constantFrom("[", "]", "x", "'") });
  fc.assert(
    fc.property(bracketed, (value) => {
      assert.deepEqual(parseTemplateString(printLiteral(value)), { kind: "literal", value });
    }),
  );
});

it("any text at all parses or fails with a template error", () => {
  const unit = fc.constantFrom("[", "]", "(", ")", ".", ",", "'", "a", "1", "-", " ", "é", "\u0000");
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      try {
        parseTemplateString(`[${text}]`);
      } catch (error) {
        assert.ok(error instanceof TemplateError);
      }
    }),
    { numRuns: 500 },
  );
});

function withoutPositions(tree: Expression): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, value: unknown) =>
      key === "position" ? undefined : typeof value === "bigint" ? `${value}n` : value,
    ),
  );
}
