import assert from "node:assert/strict";
import { test } from "node:test";
import { atOnce, type JsonValue } from "@rad/core";
import { checkShape, parseJsonBody } from "./json-body.ts";

const limits = { maxDepth: 10, maxValues: 100 };
const parse = (text: string | Buffer): JsonValue | undefined | Promise<JsonValue | undefined> =>
  parseJsonBody(Buffer.from(text as string), limits);

const kept = [
  "9007199254740991",
  "-9007199254740992",
  "123456789012345680",
  '"12345678901234567890"',
  "0.12345678901234567890",
  "1e300",
];
for (const text of kept) {
  test(`${text} is taken as it is`, () => {
    assert.deepEqual(parse(`{"a": [${text}]}`), { a: [JSON.parse(text)] });
  });
}

for (const text of [
  "1152921504606846976",
  "9007199254740993",
  "-9007199254740993",
  "12345678901234567890",
  "9223372036854775807",
]) {
  test(`${text} is refused rather than changed`, () => {
    assert.throws(() => parse(`{"a": {"size": ${text}}}`), {
      code: "InvalidRequestContent",
      message: `The number ${text} at '$.a.size' cannot be stored without losing digits. Send it as text.`,
    });
  });
}

for (const text of ["1e999", "-1e400"]) {
  test(`${text} is refused, since it would be stored as null`, () => {
    assert.throws(() => parse(`{"a": [${text}]}`), { code: "InvalidRequestContent" });
  });
}

test("a body that begins with a byte order mark is read, an empty one is none", () => {
  assert.deepEqual(parse('\uFEFF{"a": 1}'), { a: 1 });
  assert.equal(parse(" \n"), undefined);
  assert.equal(parse(""), undefined);
});

const invalid: readonly (readonly [string, number[], number])[] = [
  ["bytes that are in no character", [0x22, 0xff, 0xfe], 2],
  ["a character that is not completed", [0x22, 0xc3, 0x28, 0x22], 3],
  ["a character that is cut off", [0x22, 0xe2, 0x82], 4],
  ["an overlong form", [0x22, 0x41, 0xc0, 0xaf], 3],
  ["half of a surrogate pair", [0x22, 0xed, 0xa0, 0x80], 2],
  ["beyond the end of Unicode", [0x22, 0xf5, 0x80, 0x80, 0x80], 2],
  ["a byte that only continues others", [0x22, 0xc3, 0xa9, 0x80], 4],
];
for (const [what, bytes, at] of invalid) {
  test(`invalid UTF-8 is refused and located: ${what}`, () => {
    assert.throws(() => parseJsonBody(Buffer.from(bytes), limits), {
      code: "InvalidRequestContent",
      message: `The request body is not UTF-8: byte ${at} does not belong there.`,
    });
  });
}

test("invalid UTF-8 is located in a large body too", () => {
  const bytes = Buffer.concat([
    Buffer.from(`"${"€".repeat(100_000)}`),
    Buffer.from([0xff]),
    Buffer.from("é".repeat(9)),
  ]);
  assert.throws(() => parseJsonBody(bytes, limits), { message: /byte 300002 does not belong/ });
  assert.throws(() => parseJsonBody(Buffer.alloc(200_000, 0x80), limits), { message: /byte 1 does not belong/ });
});

test("a value that was never text keeps the same rules", () => {
  const check = (value: JsonValue): void => atOnce(checkShape(value, { maxDepth: 2, maxValues: 4 }));
  check({ a: [1, 2] });
  assert.throws(() => check({ a: [[]] }), { message: /too deep/ });
  assert.throws(() => check([1, 2, 3, 4]), { code: "RequestEntityTooLarge" });
  assert.throws(() => check(JSON.parse('{"__proto__": 1}') as JsonValue), { message: /__proto__/ });
  assert.throws(() => check(["\ud800"]), { message: /surrogate/ });
  assert.throws(() => check([Infinity]), { message: /too large/ });
});
