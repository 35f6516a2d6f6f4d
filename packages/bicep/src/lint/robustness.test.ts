import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { checkLimits } from "../limits/index.ts";
import { modelOf } from "../limits/testing/limits-of.ts";
import { lint } from "./lint.ts";
import { rules } from "./rules.ts";

const everyRule = {
  enabled: true,
  rules: new Map(rules.map(({ name }) => [name, { level: "warning" as const, options: new Map<string, unknown>() }])),
};

const source = `
@secure()
param s string = 'x'
param l string = resourceGroup().location
var v = [for (x, i) in range(0, 3): r.properties[x]]
type t = { 'a': any, b: { *: object }? }
func f(a string) string => concat(a, r.name)
resource r 'A.B/c@2020-01-01' existing = {
  name: m.outputs.o
  scope: resourceGroup('g', 'h')
  resource n 'd' = [for x in v: if (x == s) {
    name: 'n/\${x}'
    properties: {
      adminUsername: 'admin'
      fooId: r::n[0].id
      ...v
      inner: [for y in x: { '\${y}': map(y, z => n[z].listKeys(z)) }]
    }
    dependsOn: [ m, r ]
  }]
}
module m 'm.bicep' = if (contains(v, 'a') ? v.a : false) {
  name: '\${r.name}'
  scope: l == 'x' ? tenant() : subscription('y')
  params: { p: reference(resourceId('A.B/c', s)).z }
}
output password object = listKeys(r.id, '2020-01-01')
`;

const edit = fc.record({
  at: fc.nat({ max: source.length }),
  remove: fc.nat({ max: 20 }),
  from: fc.nat({ max: source.length }),
  length: fc.nat({ max: 30 }),
});

it("no edit of a file makes the limits or the rules throw", () => {
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
      let text = source;
      for (const { at, remove, from, length } of edits) {
        text = text.slice(0, at) + source.slice(from, from + length) + text.slice(at + remove);
      }
      const model = modelOf(text, { "m.bicep": "param p string\noutput o string = p\n" });

      checkLimits(model);
      lint(model, everyRule);
    }),
    { numRuns: 150 },
  );
});

it("deep nesting is the parser's matter and stays harmless", () => {
  const deep = 10_000;
  for (const [open, close] of [
    ["[", "]"],
    ["(", ")"],
    ["{ a: ", " }"],
    ["f(", ")"],
    ["map([1], x => ", ")"],
    ["[for x in y: ", "]"],
  ] as const) {
    const model = modelOf(`var v = ${open.repeat(deep)}1${close.repeat(deep)}\n`);

    assert.ok(model.file.syntax.diagnostics.length > 0);
    checkLimits(model);
    lint(model, everyRule);
  }
});
