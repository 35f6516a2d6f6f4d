import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse } from "yaml";
import { readPlainMapping } from "./plain-mapping.ts";

const ours = `workspaces:
  default: local
  items:
    local:
      connection:
        kind: kubernetes
        context: ""
        overrides:
          ucp: http://127.0.0.1:9000
      scope: /planes/radius/local/resourceGroups/default
    other:
      connection:
        kind: kubernetes
        context: "kind kind"
`;

test("a configuration as rad and upstream's rad write it is read as YAML reads it", () => {
  const upstream = ours.replaceAll("  ", "    ");

  assert.deepEqual(readPlainMapping(ours), parse(ours));
  assert.deepEqual(readPlainMapping(upstream), parse(upstream));
});

for (const [name, text] of [
  ["no text", ""],
  ["a comment", "a: b # c\n"],
  ["a line of comment", "# c\na: b\n"],
  ["an empty line", "a: b\n\nc: d\n"],
  ["a key without a value", "a:\nb: c\n"],
  ["a last key without a value", "a: b\nc:\n"],
  ["an inner key without a value", "a:\n  b:\nc: d\n"],
  ["a number", "a: 1\n"],
  ["a boolean", "a: true\n"],
  ["a boolean in capitals", "a: False\n"],
  ["null", "a: Null\n"],
  ["a key that is not text", "null: a\n"],
  ["a list", "a:\n  - b\n"],
  ["a mapping on one line", "a: { b: c }\n"],
  ["a mapping in a text", "a: b: c\n"],
  ["a key in a text", "a: b:\n"],
  ["an anchor", "a: &b c\n"],
  ["a tag", "a: !!str c\n"],
  ["a text of several lines", "a: b\n  c\n"],
  ["a block of text", "a: |\n  c\n"],
  ["an escape", 'a: "b\\n"\n'],
  ["single quotes", "a: 'b'\n"],
  ["a key twice", "a: b\na: c\n"],
  ["a key below a text", "a: b\n  c: d\n"],
  ["an indentation that was not begun", "a:\n    b: c\n  d: e\n"],
  ["an indented first key", "  a: b\n"],
  ["a tab", "a:\tb\n"],
  ["a blank at the end", "a: b \n"],
  ["a line break of Windows", "a: b\r\n"],
  ["two documents", "a: b\n---\nc: d\n"],
  ["a key of a prototype", "__proto__: a\n"],
] as const) {
  test(`${name} is left to the YAML parser`, () => {
    assert.equal(readPlainMapping(text), undefined);
  });
}

test("whatever is read, YAML reads the same", () => {
  const usually = (usual: readonly string[], odd: readonly string[]) =>
    fc.oneof({ arbitrary: fc.constantFrom(...usual), weight: 9 }, { arbitrary: fc.constantFrom(...odd), weight: 1 });
  const lineOf = fc.tuple(
    usually(["", "  ", "    "], ["   ", "\t"]),
    usually(["a", "b", "Key", "constructor"], ["true", "Null", "no", "1", "~", "-", "- a", "<<", "k k", '"q"', "#"]),
    usually([": "], [":", ":  ", " : ", ""]),
    usually(
      ["x", "/x", "h://h:1", '""', '"x y"'],
      ["", "true", "~", "NULL", "1e3", ".5", '"\\n"', "'q'", "a: b", "b:", "a#b", "@x", "x,y", "[x]"],
    ),
    usually([""], [" ", " #c", "\r"]),
  );
  const below = fc.tuple(fc.constantFrom("", "  "), fc.constantFrom("a", "b"), fc.constantFrom(":"));
  let read = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof(lineOf, below), { minLength: 1, maxLength: 4 }),
      fc.constantFrom("", "\n"),
      (lines, end) => {
        const text = lines.map((parts) => parts.join("")).join("\n") + end;
        const value = readPlainMapping(text);
        if (value !== undefined) {
          read += 1;
          assert.deepEqual(value, parse(text));
        }
      },
    ),
    { numRuns: 10_000 },
  );
  assert.ok(read > 50, `only ${read} texts were read`);
});
