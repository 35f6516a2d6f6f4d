import fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "./api-error.ts";
import type { JsonValue } from "./json.ts";
import { prototypeKeys, readJson, readOwnJson } from "./json-reader.ts";
import { atOnce } from "./sliced.ts";

const read = (text: string, limits = { maxDepth: 1_000, maxValues: 100_000 }): JsonValue | undefined =>
  atOnce(readJson(text, limits));

const refused = (text: string, message: RegExp): void => {
  assert.throws(() => read(text), { code: "InvalidRequestContent", message });
};

test("what JSON.stringify prints is read as JSON.parse reads it, with and without white space", () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: "binary" }), fc.constantFrom(undefined, 2, "\t"), (json, space) => {
      const text = JSON.stringify(JSON.parse(json), null, space);
      fc.pre(!hasPrototypeKey(text) && isWellFormed(JSON.parse(text) as JsonValue));
      assert.deepEqual(read(text), JSON.parse(text));
    }),
  );
});

test("any other text is refused where JSON.parse refuses it", () => {
  const pieces = fc.constantFrom(
    ...'{}[],:"\\ \n\t0123-+.eE'.split(""),
    "true",
    "nul",
    "false",
    '"a"',
    '"\\n"',
    '"\\x"',
    "1e5",
    "01",
    ".5",
    "5.",
    "\u0000",
    "\u00a0",
    "é",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      const expected = outcome(() => JSON.parse(text) as JsonValue);
      const actual = outcome(() => read(text));
      if (actual.error instanceof ApiError && /twice|digits|too large/.test(actual.error.message)) {
        return; // beyond the grammar
      }
      assert.equal(actual.error === undefined, expected.error === undefined || /^[ \n\r\t]*$/.test(text), text);
      assert.deepEqual(actual.value, expected.value);
    }),
    { numRuns: 5_000 },
  );
});

test("large texts are read the same in slices", async () => {
  const value = Array.from({ length: 20_000 }, (_, index) => ({ index, name: `é"${index}`, list: [1, [2.5e3, null]] }));
  const work = readJson(JSON.stringify(value), { maxDepth: 10, maxValues: 200_000 });
  let pauses = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) {
    await step.value;
    pauses += 1;
  }
  assert.deepEqual(step.value, value);
  assert.ok(pauses > 0);
});

test("text of our own is read as JSON.parse reads it, large or small", () => {
  const filler = "x".repeat(70_000);
  fc.assert(
    fc.property(fc.json({ stringUnit: "binary" }), (json) => {
      assert.deepEqual(atOnce(readOwnJson(json)), JSON.parse(json));
      const large = `[${json},"${filler}",{"__proto__":{"a":"\\ud800"},"constructor":12345678901234567890}]`;
      assert.deepEqual(atOnce(readOwnJson(large)), JSON.parse(large));
    }),
  );
});

test("a key that is there twice is refused with its path", () => {
  refused('{"a": [{}, {"b.c": 1, "b\\u002ec": 2}]}', /'\$\.a\[1\]\['b\.c'\]' twice/);
});

test("prototype keys are refused, however they are spelled", () => {
  refused('{"a": {"__proto__": {}}}', /'__proto__'/);
  refused('{"\\u005f_proto__": {}}', /'__proto__'/);
  refused('{"constructor": 1}', /'constructor'/);
});

test("half of a surrogate pair is refused in texts and keys; a whole one is not", () => {
  refused('{"a": ["\\ud800"]}', /'\$\.a\[0\]'.*surrogate/);
  refused('{"\\udc00": 1}', /surrogate/);
  assert.deepEqual(read('["\\ud83d\\ude00"]'), ["😀"]);
});

test("depth and number of values are bounded, and refused before more is read", () => {
  const limits = { maxDepth: 3, maxValues: 5 };
  assert.deepEqual(read("[[[1]]]", limits), [[[1]]]);
  assert.throws(() => read("[[[[1", limits), { code: "InvalidRequestContent", message: /too deep/ });
  assert.deepEqual(read("[1,2,3,4]", limits), [1, 2, 3, 4]);
  assert.throws(() => read("[1,2,3,4,5,?", limits), { code: "RequestEntityTooLarge", status: 413 });
});

test("compact text is held to the same rules", () => {
  const limits = { maxDepth: 3, maxValues: 100 };
  assert.deepEqual(read('{"a":{"b":[1]}}', limits), { a: { b: [1] } });
  assert.throws(() => read('{"a":{"b":[[1]]}}', limits), { message: /too deep/ });
  refused('{"a":{"b":1,"b":1}}', /'\$\.a\.b' twice/);
  refused('{"a":12345678901234567890}', /losing digits/);
  refused('{"a":1e999}', /too large/);
  refused('{"a":{"__proto__":{}}}', /'__proto__'/);
  refused('{"a":1}}', /unexpected character at 8/);
  assert.deepEqual(read('{"b":1.0,"2":"constructor","1":-0}'), JSON.parse('{"b":1.0,"2":"constructor","1":-0}'));
});

test("a syntax error says where it is", () => {
  refused('{"a": ?}', /unexpected character at 7/);
  refused('{"a": "', /ends too early/);
});

function outcome(run: () => JsonValue | undefined): { value?: JsonValue | undefined; error?: unknown } {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}

function hasPrototypeKey(text: string): boolean {
  return [...prototypeKeys].some((key) => text.includes(key));
}

function isWellFormed(value: JsonValue): boolean {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).every(([key, member]) => key.isWellFormed() && isWellFormed(member));
  }
  return typeof value !== "string" || value.isWellFormed();
}
