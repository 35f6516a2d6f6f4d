import assert from "node:assert/strict";
import { it } from "node:test";
import type { Expression } from "./nodes.ts";
import { parseBicep } from "./parse.ts";
import { literalText } from "./predicates.ts";

function valueOf(source: string): Expression {
  const [statement] = parseBicep(`var a = ${source}`).program.statements;
  assert.equal(statement?.kind, "VariableDeclaration");
  return statement.value;
}

const rows: readonly (readonly [source: string, ...segments: string[]])[] = [
  ["''", ""],
  ["'abc'", "abc"],
  [String.raw`'\n\r\t\\\'\$\u{41}\u{1F600}'`, "\n\r\t\\'$A\u{1F600}"],
  [String.raw`'a\${b}'`, "a${b}"],
  ["'a$b$'", "a$b$"],
  ["'a${x}b${y}c'", "a", "b", "c"],
  ["'\\'${x}\\\\'", "'", "\\"],
  ["''''''", ""],
  ["'''a'''", "a"],
  ["'''\na\n'''", "a\n"],
  ["'''\r\na\r\n'''", "a\r\n"],
  ["'''\n\na'''", "\na"],
  ["'''\ra'''", "\ra"],
  [String.raw`'''a\n${"${"}x}'''`, String.raw`a\n${"${"}x}`],
  ["'''a''''", "a'"],
  ["'''a'b''c'''''", "a'b''c''"],
  ["$'''\na${x}\nb'''", "a", "\nb"],
  ["$'''>$${x}<'''", ">$", "<"],
  ["$$'''>${y}$${x}<'''", ">${y}", "<"],
];

for (const [source, ...segments] of rows) {
  it(`resolves ${JSON.stringify(source)}`, () => {
    const value = valueOf(source);

    assert.equal(value.kind, "StringExpression");
    assert.deepEqual(value.segments, segments);
    assert.equal(value.expressions.length, segments.length - 1);
  });
}

it("has literal text only without holes", () => {
  const plain = valueOf("'a'");
  const holed = valueOf("'a${b}'");

  assert.ok(plain.kind === "StringExpression" && holed.kind === "StringExpression");
  assert.equal(literalText(plain), "a");
  assert.equal(literalText(holed), undefined);
});

it("reads integers of up to 64 bits", () => {
  const rows: readonly (readonly [source: string, value: bigint])[] = [
    ["0", 0n],
    ["007", 7n],
    ["999999999999999", 999_999_999_999_999n],
    ["9223372036854775808", 2n ** 63n],
    ["18446744073709551615", 2n ** 64n - 1n],
    ["000000000000000000000000000001", 1n],
    ["0000000000000000000000000", 0n],
  ];
  for (const [source, expected] of rows) {
    const value = valueOf(source);

    assert.equal(value.kind, "IntegerLiteral");
    assert.equal(value.value, expected);
  }
  assert.equal(parseBicep("var a = 18446744073709551616").diagnostics[0]?.code, "BCP010");
});
