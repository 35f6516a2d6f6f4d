import assert from "node:assert/strict";
import { it } from "node:test";
import { requirementProblems } from "./check-requirements.ts";

const files: Readonly<Record<string, string>> = {
  "packages/a/src/a.test.ts": 'it("does this", () => {});\ntest(\n  `${target}: does that`,\n  async () => {});',
};
const problems = (...rows: readonly string[]): string[] =>
  requirementProblems(["| id | says | shown by |", "|---|---|---|", ...rows].join("\n"), (file) => files[file]);

it("a row whose tests exist is fine, also where a name is a template", () => {
  const rows = [
    "| S001-10 | this | [does this](../packages/a/src/a.test.ts) |",
    "| S001-11 | that | [does this](../packages/a/src/a.test.ts), [does that](../packages/a/src/a.test.ts) |",
  ];
  assert.deepEqual(problems(...rows), []);
});

it("a test or a file that does not exist is named with its requirement", () => {
  assert.deepEqual(
    problems("| S001-10 | this | [does nothing](../packages/a/src/a.test.ts), [x](../packages/b/src/b.test.ts) |"),
    [
      "S001-10: 'packages/a/src/a.test.ts' has no test 'does nothing'.",
      "S001-10: there is no file 'packages/b/src/b.test.ts'.",
    ],
  );
});

it("a row without a test, a row that comes twice and a page without rows are problems", () => {
  assert.deepEqual(problems("| S000-100 | a | b |"), ["S000-100 names no test."]);
  assert.deepEqual(
    problems("| S001-10 | [link](../a.md) | |", "| S001-10 | a | [does this](../packages/a/src/a.test.ts) |"),
    ["S001-10 names no test.", "S001-10 has two rows."],
  );
  assert.equal(problems().length, 1);
});
