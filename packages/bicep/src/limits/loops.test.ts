import assert from "node:assert/strict";
import { it } from "node:test";
import { limitsOf } from "./testing/limits-of.ts";
import type { LimitRow } from "./testing/limits-of.ts";

const files = { "m.bicep": "param p array = []\n", "n.bicep": "" };

const rows: readonly LimitRow[] = [
  [
    "declarations and properties of resources and modules can be loops",
    "var v = [for x in [1]: x]\noutput o array = [for x in [1]: x]\nmodule m 'm.bicep' = [for x in [1]: {\n  name: 'm${x}'\n  params: {\n    p: [for y in [1]: y]\n  }\n}]\nresource r 'A.B/c@2020-01-01' = [for x in [1]: if (true) {\n  name: 'r${x}'\n  properties: {\n    a: [for y in [1]: {\n      b: y\n    }]\n    c: [\n      {\n        d: [for y in [1]: y]\n      }\n    ]\n  }\n}]\n",
  ],
  [
    "other places cannot be loops",
    "param p array = [for x in [1]: x]\nvar a = length([for x in [1]: x])\nvar b = {\n  c: [for x in [1]: x]\n}\nvar d = [for x in [1]: [for y in [1]: y]]\noutput o array = true ? [for x in [1]: x] : []\n",
    ..."p a b d o".split(" ").map(() => "BCP138 for"),
  ],
  [
    "a property's loop cannot stand in another one",
    "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n  properties: {\n    a: [for x in [1]: {\n      b: [for y in [1]: y]\n    }]\n  }\n}\n",
    "BCP142 for",
  ],
  [
    "the list of a property's loop is no place for another",
    "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n  properties: {\n    a: [for x in [{ b: [for y in [1]: y] }]: x]\n  }\n}\n",
    "BCP138 for",
  ],
  [
    "a property that is a loop has a plain name",
    "param k string\nresource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n  properties: {\n    'a${k}': [for x in [1]: x]\n  }\n}\n",
    "BCP143 'a${k}'",
  ],
  [
    "a looped resource contains no others",
    "resource r 'A.B/c@2020-01-01' = [for x in [1]: {\n  name: 'r${x}'\n  resource d 'd' = {\n    name: 'd'\n  }\n}]\n",
    "BCP160 resource d 'd' = {\n    name: 'd'\n  }",
  ],
  [
    "a loop that makes the same resource again is pointed out",
    "resource r 'A.B/c@2020-01-01' = [for (x, i) in [1]: {\n  name: 'r'\n  tags: {\n    a: '${x}${i}'\n  }\n}]\n",
    "BCP179 r",
  ],
  [
    "an index is as good as an item, and a parent as good as a name",
    "resource r 'A.B/c@2020-01-01' = [for (x, i) in [1]: {\n  name: 'r${i}'\n}]\nresource d 'A.B/c/d@2020-01-01' = [for (x, i) in [1]: {\n  parent: r[i]\n  name: 'd'\n}]\n",
  ],
  [
    "a looped resource without a name has another problem",
    "resource r 'A.B/c@2020-01-01' = [for x in [1]: {\n  tags: {}\n}]\n",
  ],
  [
    "existing resources may be looked up again and again",
    "resource r 'A.B/c@2020-01-01' existing = [for x in [1]: {\n  name: 'r'\n}]\n",
  ],
  [
    "a looped module needs a varying name only when it has one",
    "module a 'n.bicep' = [for x in [1]: {\n  name: 'a'\n}]\nmodule b 'n.bicep' = [for x in [1]: {}]\n",
    "BCP179 a",
  ],
  [
    "a spread beside a property's loop cannot be emitted",
    "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n  properties: {\n    ...{}\n    a: {\n      b: [for x in [1]: x]\n    }\n  }\n}\n",
    "BCP417 ...{}",
  ],
];

for (const [sentence, source, ...found] of rows) {
  it(sentence, () => {
    assert.deepEqual(limitsOf(source, files), found);
  });
}
