import assert from "node:assert/strict";
import { it } from "node:test";
import { limitsOf } from "./testing/limits-of.ts";
import type { LimitRow } from "./testing/limits-of.ts";

const some = `
resource rs 'A.B/c@2020-01-01' = [for i in range(0, 2): {
  name: 'rs\${i}'
}]
`;

const rows: readonly LimitRow[] = [
  ["a lambda is an argument, in parentheses too", "var a = map([1], x => x)\nvar b = map([1], (((x) => x)))\n"],
  [
    "a lambda is no value",
    "var a = x => x\nvar b = map([1], true ? x => x : y => y)\nvar c = {\n  d: () => 1\n}\n",
    "BCP242 x => x",
    "BCP242 x => x",
    "BCP242 y => y",
    "BCP242 () => 1",
  ],
  [
    "a lambda's variable chooses no resource",
    `${some}output o array = map([0], x => rs[x].id)\noutput p array = map([0], x => rs[x + 1].properties)\noutput q array = map(['a'], x => [x][0])\n`,
    "BCP247 x",
    "BCP247 x + 1",
  ],
  [
    "a lambda's variable is no argument of what the engine looks up",
    "output o array = map(['a'], x => reference(x).y)\noutput p array = map(['a'], x => concat(x, reference('b').y))\n",
    "BCP248 reference(x)",
  ],
  ["a loop's variable can do both", `${some}output o array = [for i in [0]: rs[i].id]\n`],
];

for (const [sentence, source, ...found] of rows) {
  it(sentence, () => {
    assert.deepEqual(limitsOf(source), found);
  });
}
