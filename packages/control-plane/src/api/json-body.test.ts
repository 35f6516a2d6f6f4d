import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJsonBody } from "./json-body.ts";

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
    assert.deepEqual(parseJsonBody(`{"a": [${text}]}`, 10), { a: [JSON.parse(text)] });
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
    assert.throws(() => parseJsonBody(`{"a": {"size": ${text}}}`, 10), {
      code: "InvalidRequestContent",
      message: `The number ${text} of 'size' cannot be stored without losing digits. Send it as text.`,
    });
  });
}

for (const text of ["1e999", "-1e400"]) {
  test(`${text} is refused, since it would be stored as null`, () => {
    assert.throws(() => parseJsonBody(`{"a": [${text}]}`, 10), { code: "InvalidRequestContent" });
  });
}

test("a body that begins with a byte order mark is read, an empty one is none", () => {
  assert.deepEqual(parseJsonBody('\uFEFF{"a": 1}', 10), { a: 1 });
  assert.equal(parseJsonBody(" \n", 10), undefined);
});
