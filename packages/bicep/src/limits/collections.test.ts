import assert from "node:assert/strict";
import { it } from "node:test";
import { limitsOf } from "./testing/limits-of.ts";
import type { LimitRow } from "./testing/limits-of.ts";

const some = `
resource rs 'A.B/c@2020-01-01' = [for i in range(0, 2): {
  name: 'rs\${i}'
}]
module ms 'm.bicep' = [for i in range(0, 2): {
  name: 'ms\${i}'
}]
`;

const files = { "m.bicep": "param p array = []\n" };

const rows: readonly LimitRow[] = [
  [
    "collections can be named whole in dependsOn, outputs, variables, properties and params",
    `${some}var v = ms\noutput o array = rs\noutput p int = length(v)\nresource x 'A.B/c@2020-01-01' = {\n  name: 'x'\n  properties: {\n    a: rs\n  }\n  dependsOn: [\n    ms\n  ]\n}\nmodule m 'm.bicep' = {\n  name: 'm'\n  params: {\n    p: rs\n  }\n}\n`,
  ],
  [
    "loops, conditions and other properties need an index",
    `${some}var v = [for x in rs: x]\noutput o array = [for x in [1]: ms]\nresource x 'A.B/c@2020-01-01' = if (length(rs) > 0) {\n  name: 'x'\n  tags: {\n    a: string(ms)\n  }\n}\nresource y 'A.B/c@2020-01-01' = [for i in [1]: {\n  name: 'y\${i}'\n  properties: {\n    a: rs\n    b: rs[i].id\n  }\n}]\n`,
    "BCP144 rs",
    "BCP144 ms",
    "BCP144 rs",
    "BCP144 ms",
    "BCP144 rs",
  ],
  [
    "the params of a looped module need an index",
    `${some}module m 'm.bicep' = [for i in [0]: {\n  name: 'm\${i}'\n  params: {\n    p: rs\n  }\n}]\n`,
    "BCP144 rs",
  ],
  [
    "a variable that holds a collection is judged like it",
    `${some}var v = { a: rs }\nvar w = v\noutput o object = w\nresource x 'A.B/c@2020-01-01' = {\n  name: 'x'\n  tags: w\n}\n`,
    "BCP144 w",
  ],
  ["an index cannot be optional", `${some}output o string = rs[?0].id\noutput p string = ms[0].name\n`, "BCP323 ?"],
  ["nameof takes a collection anywhere", `${some}param p string = nameof(rs)\n`],
];

for (const [sentence, source, ...found] of rows) {
  it(sentence, () => {
    assert.deepEqual(limitsOf(source, files), found);
  });
}
