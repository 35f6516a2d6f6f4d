import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonValue } from "@rad/core";
import { readManifests } from "./yaml-source.ts";

function values(text: string): JsonValue[] {
  const sources = readManifests(text);
  assert.deepEqual(
    sources.flatMap(({ problems }) => problems),
    [],
  );
  return sources.map(({ value }) => value);
}

it("reads every document and leaves out empty ones", () => {
  assert.deepEqual(values("---\na: 1\n---\n# nothing\n---\nb: 2\n...\n"), [{ a: 1 }, { b: 2 }]);
  assert.deepEqual(values(""), []);
  assert.deepEqual(values('{"a": [1, "x", null]}'), [{ a: [1, "x", null] }]);
});

it("reads numbers and booleans as YAML 1.1 has them, and quoted ones as text", () => {
  const text =
    "mode: 0644\nminus: -010\nzero: 0\nten: 10\nyes: yes\noff: Off\nt: true\nquoted: 'yes'\ny: y\nclock: 1:30\ndate: 2020-01-01";
  assert.deepEqual(values(text), [
    {
      mode: 420,
      minus: -8,
      zero: 0,
      ten: 10,
      yes: true,
      off: false,
      t: true,
      quoted: "yes",
      y: "y",
      clock: "1:30",
      date: "2020-01-01",
    },
  ]);
});

it("merges mappings below <<; own and earlier members win", () => {
  assert.deepEqual(values("- &a {x: 1, y: 1}\n- &b {y: 2, z: 2}\n- {<<: [*a, *b], x: 0}\n- {<<: *a}"), [
    [
      { x: 1, y: 1 },
      { y: 2, z: 2 },
      { x: 0, y: 1, z: 2 },
      { x: 1, y: 1 },
    ],
  ]);
});

for (const [what, text] of [
  ["a syntax error", "a: [1\n---\nb: 2"],
  ["a key that is there twice", "a: 1\na: 2"],
  ["a merge of something else", "a: &a 1\nb: {<<: *a}"],
  ["an unknown alias", "a: *b"],
  ["an alias of another document", "a: &a 1\n---\nb: *a"],
  ["aliases that explode", `a: &a [${"1,".repeat(1000)}]\nb: [${"*a,".repeat(60)}]`],
  ["aliases that explode over many documents", `a: [${"1,".repeat(1000)}]\n---\n`.repeat(60)],
  ["deep nesting", "[".repeat(100_000)],
  ["a large text", "a".repeat(2 ** 20 + 1)],
  ["a value that JSON does not have", "a: .nan"],
] as const) {
  it(`refuses ${what}`, () => {
    assert.ok(readManifests(text).some(({ problems }) => problems.length > 0));
  });
}

it("manifests that would take long to read are refused; a long text in them does not count", () => {
  const many = readManifests(`a: [${"[],".repeat(20_000)}]`);
  const long = readManifests(`a: |\n${"  a line of a long text\n".repeat(40_000)}`);

  assert.match(many[0]?.problems[0]?.message ?? "", /hold too many values/);
  assert.deepEqual(long[0]?.problems, []);
});
