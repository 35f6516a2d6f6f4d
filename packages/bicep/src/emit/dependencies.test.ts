import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compile } from "./testing/compile.ts";

const prologue = `
param i int
resource a 'My.Rp/a@2020-01-01' = {
  name: 'a'
}
resource B 'My.Rp/a@2020-01-01' = {
  name: 'b'
}
resource c 'My.Rp/a@2020-01-01' = {
  name: 'c'
}
resource loop 'My.Rp/a@2020-01-01' = [for x in range(0, 2): {
  name: 'loop\${x}'
}]
resource e 'My.Rp/a@2020-01-01' existing = {
  name: a.name
}
resource onExisting 'My.Rp/x@2020-01-01' existing = {
  scope: e
  name: 'x'
}
var constant = a.id
var twice = constant
module m 'm.bicep' = {
  name: 'm'
}
`;

function dependsOn(body: string, symbolic = true): unknown {
  const options = {
    files: { "/m.bicep": "output o string = 'o'\n" },
    features: symbolic ? ["symbolicNameCodegen"] : [],
  };
  const { resources } = compile(`${prologue}resource r 'My.Rp/r@2020-01-01' = ${body}\n`, options);
  return symbolic
    ? resources.r.dependsOn
    : resources.find((item: { type: string }) => item.type === "My.Rp/r").dependsOn;
}

function withProperties(properties: string): string {
  return `{\n  name: 'r'\n  properties: {\n    x: ${properties}\n  }\n}`;
}

const table: readonly (readonly [what: string, body: string, expected: readonly string[] | undefined])[] = [
  ["nothing", withProperties("1"), undefined],
  ["what properties mention", withProperties("a.id"), ["a"]],
  ["names, ignoring letter case in their order", withProperties("[c.id, B.id, a.id]"), ["a", "B", "c"]],
  ["each thing once", withProperties("[a.id, a.name, a.properties]"), ["a"]],
  ["what conditions mention", "if (a.name == 'x') {\n  name: 'r'\n}", ["a"]],
  ["what loops run over", "[for x in [a.name]: {\n  name: 'r${x}'\n}]", ["a"]],
  ["what names of properties mention", withProperties("{ '${a.name}': 1 }"), ["a"]],
  ["what variables mention, through others", withProperties("twice"), ["a"]],
  ["what is asked for", "{\n  name: 'r'\n  dependsOn: [\n    c\n    m\n  ]\n}", ["c", "m"]],
  ["methods", withProperties("a.listKeys()"), ["a"]],
  ["names that are only spelled", withProperties("nameof(a)"), ["a"]],
  ["one of a collection", withProperties("loop[i].id"), ["[format('loop[{0}]', parameters('i'))]"]],
  ["what an index mentions", withProperties("loop[length(c.name)].id"), ["c", "[format('loop[{0}]', length('c'))]"]],
  [
    "each use of an item",
    withProperties("[loop[0].id, loop[0].id]"),
    ["[format('loop[{0}]', 0)]", "[format('loop[{0}]', 0)]"],
  ],
  [
    "a whole collection instead of its items",
    "{\n  name: 'r'\n  tags: {\n    x: loop[0].id\n  }\n  dependsOn: [\n    loop\n  ]\n}",
    ["loop"],
  ],
  [
    "the item of its own turn",
    "[for x in range(0, 2): {\n  name: 'r${x}'\n  tags: {\n    x: loop[x].id\n  }\n}]",
    ["[format('loop[{0}]', range(0, 2)[copyIndex()])]"],
  ],
  ["the whole collection from inside of another loop", withProperties("[for y in range(0, 2): loop[y].id]"), ["loop"]],
  [
    "a lambda inside of an index",
    withProperties("loop[length(map([1], z => z))].id"),
    ["[format('loop[{0}]', length(map(createArray(1), lambda('z', lambdaVariables('z')))))]"],
  ],
  ["modules", withProperties("m.outputs.o"), ["m"]],
  ["existing resources, when their state is used", withProperties("e.properties"), ["e"]],
  ["what existing resources depend on, when only their identity is used", withProperties("e.id"), ["a"]],
  ["what existing resources depend on, behind methods", withProperties("(e)!.listKeys()"), ["a"]],
  ["what the scope depends on", "{\n  name: 'r'\n  scope: onExisting\n}", ["a"]],
];

describe("dependencies", () => {
  for (const [what, body, expected] of table) {
    it(`include ${what}`, () => assert.deepEqual(dependsOn(body), expected));
  }

  it("include the parent, and its parent only through it", () => {
    const { resources } = compile(
      "resource p 'My.Rp/a@2020-01-01' = {\n  name: 'p'\n  resource c 'b' = {\n    name: 'c'\n    resource g 'c' = {\n      name: 'g'\n    }\n  }\n}\n",
      { features: ["symbolicNameCodegen"] },
    );
    assert.deepEqual(resources["p::c::g"].dependsOn, ["p::c"]);
    assert.deepEqual(resources["p::c"].dependsOn, ["p"]);
    assert.equal(resources.p.dependsOn, undefined);
  });

  it("are ids in classic templates, and names for whole collections", () => {
    assert.deepEqual(dependsOn(withProperties("[a.id, loop[1].id]"), false), [
      "[resourceId('My.Rp/a', 'a')]",
      "[resourceId('My.Rp/a', format('loop{0}', range(0, 2)[1]))]",
    ]);
    assert.deepEqual(dependsOn("{\n  name: 'r'\n  dependsOn: [\n    loop\n    m\n  ]\n}", false), [
      "loop",
      "[resourceId('Microsoft.Resources/deployments', 'm')]",
    ]);
    assert.deepEqual(dependsOn(withProperties("e.properties"), false), ["[resourceId('My.Rp/a', 'a')]"]);
  });
});
