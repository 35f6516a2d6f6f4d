import assert from "node:assert/strict";
import { test } from "node:test";
import { warningHeader } from "./warning-header.ts";

test("a change without warnings has no header", () => {
  assert.deepEqual(warningHeader([]), {});
});

test("each warning is a quoted string that a header may hold", () => {
  const { Warning } = warningHeader([`not stored: a, b['a"b\\\\c é\n']`, "second"]);

  assert.deepEqual(Warning, [`299 - "not stored: a, b['a\\"b\\\\\\\\c ??']"`, `299 - "second"`]);
});
