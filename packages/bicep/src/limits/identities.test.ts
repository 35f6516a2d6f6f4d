import assert from "node:assert/strict";
import { it } from "node:test";
import { limitsOf } from "./testing/limits-of.ts";
import type { LimitRow } from "./testing/limits-of.ts";

const some = `
resource r 'A.B/c@2020-01-01' = {
  name: 'r'
}
resource x 'A.B/c@2020-01-01' existing = {
  name: r.properties.n
}
`;

const rows: readonly LimitRow[] = [
  [
    "what identifies a resource can be read although only the run shows it",
    `${some}output o array = [x.id, x.name, x.type, x.apiVersion, x['id']]\n`,
  ],
  [
    "nothing else of such a resource can be read",
    `${some}param k string\noutput o object = x.properties.y\noutput p object = x[k]\noutput q object = x.listKeys()\n`,
    "BCP307 x.properties",
    "BCP307 x[k]",
    "BCP307 x.listKeys()",
  ],
  [
    "its id is not known in advance",
    `${some}resource y 'A.B/c@2020-01-01' = {\n  name: x.id\n  location: x.name\n  kind: x.type\n}\n`,
    "BCP120 x.id",
    "BCP120 x.name",
  ],
  [
    "it takes part in no explicit order",
    `${some}resource y 'A.B/c@2020-01-01' existing = {\n  name: r.properties.n\n  dependsOn: [\n    r\n  ]\n}\nresource z 'A.B/c@2020-01-01' = {\n  name: 'z'\n  dependsOn: [\n    x\n  ]\n}\n`,
    "BCP433 dependsOn: [\n    r\n  ]",
    "BCP434 x",
  ],
  [
    "its children are like it",
    `${some}resource y 'A.B/c/d@2020-01-01' existing = {\n  parent: x\n  name: 'y'\n}\noutput o object = y.properties\n`,
    "BCP307 y.properties",
  ],
];

for (const [sentence, source, ...found] of rows) {
  it(sentence, () => {
    assert.deepEqual(limitsOf(source), found);
  });
}
