import assert from "node:assert/strict";
import { it } from "node:test";
import { limitsOf } from "./testing/limits-of.ts";
import type { LimitRow } from "./testing/limits-of.ts";

const rows: readonly LimitRow[] = [
  ["integers have 64 bits with a sign", "var a = 9223372036854775807\nvar b = -9223372036854775808\n"],
  [
    "larger ones cannot be written",
    "var a = 9223372036854775808\nvar b = [-9223372036854775809]\n",
    "BCP010 9223372036854775808",
    "BCP010 9223372036854775809",
  ],
  [
    "nor in what is not deployed",
    "resource r 'A.B/c@2020-01-01' existing = {\n  name: string(9223372036854775808)\n}\n",
    "BCP010 9223372036854775808",
  ],
  ["nor in types", "type a = 9223372036854775808\ntype b = -9223372036854775808\n", "BCP010 9223372036854775808"],
];

for (const [sentence, source, ...found] of rows) {
  it(sentence, () => {
    assert.deepEqual(limitsOf(source), found);
  });
}
