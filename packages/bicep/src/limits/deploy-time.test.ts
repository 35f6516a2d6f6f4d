import assert from "node:assert/strict";
import { it } from "node:test";
import { limitsOf } from "./testing/limits-of.ts";
import type { LimitRow } from "./testing/limits-of.ts";

const some = `
resource r 'A.B/c@2020-01-01' = {
  name: 'r'
}
resource rs 'A.B/c@2020-01-01' = [for i in range(0, 2): {
  name: 'rs\${i}'
}]
`;

const files = { "m.bicep": "param p string = ''\noutput o string = p\n" };

const rows: readonly LimitRow[] = [
  [
    "a property that must be known in advance cannot read what only the run shows",
    `${some}resource x 'A.B/c@2020-01-01' = {\n  name: r.properties.x\n  location: r['location']\n}\n`,
    "BCP120 r.properties",
    "BCP120 r['location']",
  ],
  [
    "identity is known in advance",
    `${some}resource x 'A.B/c@2020-01-01' = {\n  name: '\${r.id}\${r.name}\${r['type']}\${r.apiVersion}\${rs[0].id}'\n}\n`,
  ],
  ["what the type does not name may be anything", `${some}resource x 'A.B/c@2020-01-01' = {\n  name: r.whatever\n}\n`],
  [
    "properties, outputs and plain variables take run-time values",
    `${some}var v = r.properties.x\noutput o string = v\nresource x 'A.B/c@2020-01-01' = {\n  name: 'x'\n  properties: {\n    a: r.properties\n    b: v\n  }\n}\n`,
  ],
  [
    "variables are followed and the first reference is blamed",
    `${some}var a = r.properties.x\nvar b = '\${a}!'\nresource x 'A.B/c@2020-01-01' = {\n  name: b\n}\n`,
    "BCP120 b",
  ],
  [
    "a resource inside of another is looked at, whatever the outer one mentions",
    "resource o 'A.B/c@2020-01-01' = {\n  name: 'o'\n\n  resource n 'd' = {\n    name: o.properties.x\n  }\n}\n",
    "BCP120 o.properties",
  ],
  [
    "functions that look something up need no resource to be run-time values",
    "resource x 'A.B/c@2020-01-01' = {\n  name: listKeys('id', '2020-01-01').key\n}\n",
    "BCP120 listKeys('id', '2020-01-01')",
  ],
  [
    "a whole resource is a run-time value, and of a collection's item only the name is blamed",
    `${some}resource x 'A.B/c@2020-01-01' = {\n  name: string(r)\n  location: string(rs[0])\n}\n`,
    "BCP120 r",
    "BCP120 rs",
  ],
  [
    "an index that is no literal could be any property",
    `${some}param k string\nresource x 'A.B/c@2020-01-01' = {\n  name: r[k]\n}\n`,
    "BCP120 r[k]",
  ],
  [
    "the result of a run-time function is not known in advance",
    `${some}resource x 'A.B/c@2020-01-01' = {\n  name: reference('y').z\n  location: r.listKeys().k\n}\n`,
    "BCP120 reference('y')",
    "BCP120 r",
    "BCP120 r.listKeys()",
  ],
  [
    "conditions must be known in advance",
    `${some}resource x 'A.B/c@2020-01-01' = if (r.properties.on) {\n  name: 'x'\n}\n`,
    "BCP177 r.properties",
  ],
  [
    "the list of a loop must be known in advance",
    `${some}var v = [for x in r.properties.xs: 1]\nresource y 'A.B/c@2020-01-01' = {\n  name: 'y'\n  properties: {\n    a: [for x in rs[1].tags: r.properties]\n  }\n}\n`,
    "BCP178 r.properties",
    "BCP178 rs[1].tags",
  ],
  [
    "the body of a variable's loop must be known in advance",
    `${some}var v = [for x in [1]: r.properties.x]\n`,
    "BCP182 r.properties",
  ],
  [
    "the arguments of run-time functions must be known in advance",
    `${some}output o object = reference(r.properties.id)\noutput k object = r.listKeys(r.properties.v, {})\n`,
    "BCP181 r.properties",
    "BCP181 r.properties",
  ],
  ["functions see no run-time values", `${some}func f() string => r.properties.x\n`, "BCP341 r.properties"],
  [
    "modules have to know their name and scope",
    `${some}module m 'm.bicep' = {\n  name: r.properties.x\n  params: {\n    p: r.properties.x\n  }\n}\nresource x 'A.B/c@2020-01-01' = {\n  name: m.outputs.o\n  location: m.name\n}\n`,
    "BCP120 r.properties",
    "BCP120 m.outputs",
  ],
  [
    "a scope or parent names a whole resource",
    `${some}resource x 'A.B/c/d@2020-01-01' = {\n  parent: r\n  name: 'x'\n}\nresource y 'D.E/f@2020-01-01' = {\n  scope: rs[0]\n  name: 'y'\n}\n`,
  ],
  [
    "bodies of existing resources are not looked at, those inside of them are",
    `${some}resource x 'A.B/c@2020-01-01' existing = {\n  name: r.id\n  tags: r.properties\n  resource y 'd' = {\n    name: r.properties.n\n  }\n}\n`,
    "BCP120 r.properties",
  ],
  [
    "conditions and loops of existing resources must be known in advance",
    `${some}resource x 'A.B/c@2020-01-01' existing = [for i in r.properties.xs: if (r.tags.on) {\n  name: 'x\${i}'\n}]\n`,
    "BCP178 r.properties",
    "BCP177 r.tags",
  ],
  ["nameof looks at no value", `${some}resource x 'A.B/c@2020-01-01' = {\n  name: nameof(r.properties.x)\n}\n`],
  [
    "each code is said once however containers nest",
    `${some}resource x 'A.B/c@2020-01-01' = {\n  name: 'x'\n  sku: {\n    name: r.properties.x\n  }\n}\n`,
    "BCP120 r.properties",
  ],
  ["variables in a circle end somewhere", "var a = b\nvar b = a\nresource x 'A.B/c@2020-01-01' = {\n  name: a\n}\n"],
];

for (const [sentence, source, ...found] of rows) {
  it(sentence, () => {
    assert.deepEqual(limitsOf(source, files), found);
  });
}

it("chains of variables cost what they are long", () => {
  const length = 3000;
  const chain = Array.from({ length }, (_, index) => `var v${index + 1} = '\${v${index}}'`).join("\n");
  const uses = Array.from(
    { length },
    (_, index) => `resource x${index} 'A.B/c@2020-01-01' = {\n  name: '${index}\${v${index}}'\n}`,
  ).join("\n");

  const found = limitsOf(`${some}var v0 = r.properties.x\n${chain}\n${uses}\n`);

  assert.equal(found.length, length);
});
