import assert from "node:assert/strict";
import { it } from "node:test";
import { limitsOf } from "./testing/limits-of.ts";
import type { LimitRow } from "./testing/limits-of.ts";

const files = { "m.bicep": "" };

const rows: readonly LimitRow[] = [
  [
    "bodies and params are written out",
    "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n  ...{}\n  properties: {\n    ...{}\n  }\n}\nmodule m 'm.bicep' = {\n  name: 'm'\n  ...{}\n  params: {\n    ...{}\n  }\n}\n",
    "BCP401 ...{}",
    "BCP401 ...{}",
    "BCP401 ...{}",
  ],
  ["asserts are an experiment", "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n  asserts: {}\n}\n", "BCP349 {}"],
];

for (const [sentence, source, ...found] of rows) {
  it(sentence, () => {
    assert.deepEqual(limitsOf(source, files), found);
  });
}
