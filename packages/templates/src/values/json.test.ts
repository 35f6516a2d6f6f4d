import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonValue } from "@rad/core";
import fc from "fast-check";
import { TemplateError } from "../template-error.ts";
import { fromJson, toJson } from "./json-conversion.ts";
import { parseJson } from "./json-parser.ts";
import { printJson } from "../format/json-printer.ts";

it("integers of 64 bits and floats keep their digits and their kinds", () => {
  const text = "[9223372036854775807,-9223372036854775808,0,1.0,1.5,1E+30,-0.5,1E+15,0.0001,1E-05,-0.0]";

  const value = parseJson(text);

  assert.deepEqual(value, [9223372036854775807n, -9223372036854775808n, 0n, 1, 1.5, 1e30, -0.5, 1e15, 1e-4, 1e-5, -0]);
  assert.equal(printJson(value), text);
});

it("members keep their order, numeric names included, and a repeated name takes the last value", () => {
  assert.equal(
    printJson(parseJson('{"b":1,"2":2,"1":3,"__proto__":4,"b":5,"B":6}')),
    '{"b":5,"2":2,"1":3,"__proto__":4,"B":6}',
  );
});

it("strings are escaped where JSON or its readers need it and nowhere else", () => {
  const text = "\u0000\b\t\n\f\r\"'\\\u001f\u0085\u2028/é😀";

  assert.equal(printJson(text), `"\\u0000\\b\\t\\n\\f\\r\\"'\\\\\\u001f\\u0085\\u2028/é😀"`);
  assert.equal(printJson("a'b\"c", { quote: "'" }), `'a\\'b"c'`);
});

it("lenient forms are read", () => {
  const text = `\uFEFF// first\n{ a: 'it\\'s', $b_1: [1,], /* two */ "c": "\\u0041\\/", é٣: .5, } `;

  assert.equal(printJson(parseJson(text)), `{"a":"it's","$b_1":[1],"c":"A/","é٣":0.5}`);
  assert.equal(printJson(parseJson("[0x1F, 0XffffFFFFffffFFFF, 017, 00, -07, 5., 0e1]")), "[31,-1,15,0,-7,5.0,0.0]");
});

const mistakes = [
  "",
  " ",
  "{",
  "[1",
  "[1 2]",
  "[,]",
  '{"a" 1}',
  '{"a":}',
  "{:1}",
  '"a',
  "'a\"",
  '"\\x"',
  '"\\u12"',
  "tru",
  "1 2",
  "--1",
  "1.2.3",
  "0x",
  "0x1g",
  "08",
  "01.5",
  "-0x1",
  "1e999",
  "NaN",
  "/* open",
  "[1]]",
  "99999999999999999999",
  "9".repeat(100_000),
  // Read in linear time: in quadratic time these two would take the better part of an hour.
  `${"9".repeat(1_000_000)}x`,
  `9.${"9".repeat(1_000_000)}x`,
];

for (const text of mistakes) {
  it(`${JSON.stringify(text.slice(0, 30))} is not JSON`, () => {
    assert.throws(() => parseJson(text), { code: "InvalidJson" });
  });
}

it("text that nests too deeply is refused", () => {
  for (const opening of ["[", '{"a":']) {
    assert.throws(() => parseJson(opening.repeat(100_000)), { code: "LimitExceeded" });
  }
});

it("documents of JSON.parse nest only so deeply too", () => {
  let document: JsonValue = [];
  for (let level = 0; level < 5_000; level += 1) {
    document = [document];
  }

  assert.throws(() => fromJson(document), { code: "LimitExceeded" });
});

it("what JSON.stringify writes is read as JSON.parse reads it, and printed again the same", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (document) => {
      const text = JSON.stringify(document);
      fc.pre(!/[0-9]{19}/.test(text)); // integers beyond 64 bits have a test of their own

      assert.deepEqual(toJson(parseJson(text)), JSON.parse(text));
      assert.deepEqual(toJson(fromJson(document as JsonValue)), JSON.parse(text));
      assert.deepEqual(parseJson(printJson(parseJson(text))), parseJson(text));
    }),
  );
});

it("whole numbers of a JSON document are integers as far as 64 bits reach", () => {
  assert.deepEqual(fromJson([1, -2, 2 ** 60, 2 ** 63, 1e300, 0.5]), [
    1n,
    -2n,
    1152921504606847000n,
    2 ** 63,
    1e300,
    0.5,
  ]);
  assert.deepEqual(toJson([2n ** 53n, 0.5]), [2 ** 53, 0.5]);
});

it("integers that other digits would stand for in JSON text have no place in a document", () => {
  assert.deepEqual(toJson([123456789012345680n]), [123456789012345680]);
  for (const integer of [2n ** 53n + 1n, 2n ** 60n, 2n ** 63n - 1n, -(2n ** 63n)]) {
    assert.throws(() => toJson([integer]), { code: "IntegerOverflow" });
  }
});

it("any text at all is read or refused with a template error", () => {
  const unit = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"',
    "'",
    "\\",
    "u",
    "1",
    "-",
    ".",
    "e",
    "/",
    "*",
    " ",
    "t",
  );
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      try {
        parseJson(text);
      } catch (error) {
        assert.ok(error instanceof TemplateError);
      }
    }),
    { numRuns: 500 },
  );
});
