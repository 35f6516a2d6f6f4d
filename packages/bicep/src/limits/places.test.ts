import assert from "node:assert/strict";
import { it } from "node:test";
import { createScopes } from "./scopes.ts";
import { limitsOf, modelOf } from "./testing/limits-of.ts";
import type { LimitRow } from "./testing/limits-of.ts";

const files = {
  "tenant.bicep": "targetScope = 'tenant'\n",
  "mg.bicep": "targetScope = 'managementGroup'\n",
  "sub.bicep": "targetScope = 'subscription'\n",
  "rg.bicep": "",
};

const rows: readonly LimitRow[] = [
  [
    "a module without a scope targets what the file targets",
    "module m 'sub.bicep' = {\n  name: 'm'\n}\n",
    "BCP134 {\n  name: 'm'\n}",
  ],
  [
    "a module is deployed to a scope that it is made for",
    "module m 'rg.bicep' = {\n  name: 'm'\n  scope: subscription('s')\n}\nmodule n 'rg.bicep' = {\n  name: 'n'\n  scope: m\n}\n",
    "BCP134 subscription('s')",
    "BCP134 m",
  ],
  [
    "an item of a loop of modules is no scope, and of the loop as a whole its type says so",
    "module m 'rg.bicep' = [for i in range(0, 2): {\n  name: 'm${i}'\n}]\nmodule n 'rg.bicep' = {\n  name: 'n'\n  scope: m[0]\n}\nmodule o 'rg.bicep' = {\n  name: 'o'\n  scope: m\n}\nmodule p 'rg.bicep' = [for i in range(0, 2): {\n  name: 'p${i}'\n  scope: (m)\n}]\nmodule q 'sub.bicep' = {\n  name: 'q'\n  scope: m\n}\n",
    "BCP134 m[0]",
    "BCP144 m",
    "BCP144 m",
    "BCP144 m",
  ],
  [
    "scopes of several kinds are too many",
    "param on bool\nmodule m 'rg.bicep' = {\n  name: 'm'\n  scope: on ? resourceGroup('a') : subscription('b')\n}\n",
    "BCP420 on ? resourceGroup('a') : subscription('b')",
  ],
  [
    "a resource is deployed where its file is, or to the tenant",
    "resource a 'A.B/c@2020-01-01' = {\n  name: 'a'\n  scope: resourceGroup()\n}\nresource b 'A.B/c@2020-01-01' = {\n  name: 'b'\n  scope: tenant()\n}\nresource c 'A.B/c@2020-01-01' = {\n  name: 'c'\n  scope: subscription()\n}\nresource d 'A.B/c@2020-01-01' = {\n  name: 'd'\n  scope: resourceGroup('g')\n}\n",
    "BCP139 subscription()",
    "BCP139 resourceGroup('g')",
  ],
  [
    "an existing resource may be anywhere, what is attached to it may not",
    "resource a 'A.B/c@2020-01-01' existing = {\n  name: 'a'\n  scope: resourceGroup('g')\n}\nresource b 'D.E/f@2020-01-01' = {\n  name: 'b'\n  scope: a\n}\nresource c 'A.B/c/d@2020-01-01' = {\n  name: 'c'\n  parent: a\n}\nresource d 'A.B/c/d@2020-01-01' existing = {\n  name: 'd'\n  parent: a\n}\n",
    "BCP139 a",
    "BCP165 {\n  name: 'c'\n  parent: a\n}",
  ],
  [
    "a child has the scope of its parent",
    "resource a 'A.B/c@2020-01-01' = {\n  name: 'a'\n}\nresource b 'A.B/c/d@2020-01-01' = {\n  name: 'b'\n  parent: a\n  scope: a\n}\n",
    "BCP164 a",
  ],
  [
    "a parent is named directly",
    "resource a 'A.B/c/d@2020-01-01' = {\n  name: 'a/b'\n  parent: any('x')\n}\n",
    "BCP240 any('x')",
  ],
];

for (const [sentence, source, ...found] of rows) {
  it(sentence, () => {
    assert.deepEqual(limitsOf(source, files), found);
  });
}

const reach: readonly (readonly [from: string, scope: string, code: string | undefined])[] = [
  ["tenant", "tenant()", undefined],
  ["tenant", "managementGroup('a')", undefined],
  ["tenant", "subscription('a')", undefined],
  ["tenant", "resourceGroup('a', 'b')", undefined],
  ["managementGroup", "tenant()", undefined],
  ["managementGroup", "managementGroup()", undefined],
  ["managementGroup", "managementGroup('a')", undefined],
  ["managementGroup", "subscription('a')", undefined],
  ["managementGroup", "resourceGroup('a', 'b')", undefined],
  ["subscription", "tenant()", undefined],
  ["subscription", "managementGroup('a')", "BCP115"],
  ["subscription", "subscription()", undefined],
  ["subscription", "subscription('a')", undefined],
  ["subscription", "resourceGroup('a')", undefined],
  ["subscription", "resourceGroup('a', 'b')", undefined],
  ["resourceGroup", "tenant()", undefined],
  ["resourceGroup", "managementGroup('a')", "BCP116"],
  ["resourceGroup", "subscription()", undefined],
  ["resourceGroup", "resourceGroup('a')", undefined],
];

for (const [from, scope, code] of reach) {
  it(`a ${from} file ${code === undefined ? "can" : "cannot"} deploy a module to ${scope}`, () => {
    const target = scope.slice(0, scope.indexOf("("));
    const path = { tenant: "tenant", managementGroup: "mg", subscription: "sub", resourceGroup: "rg" }[target];
    const source = `targetScope = '${from}'\nmodule m '${path}.bicep' = {\n  name: 'm'\n  scope: ${scope}\n}\n`;

    const found = limitsOf(source, files);

    assert.deepEqual(found, code === undefined ? [] : [`${code} ${scope}`]);
  });
}

for (const [from, code] of [
  ["tenant", "BCP113"],
  ["managementGroup", "BCP114"],
] as const) {
  it(`a ${from} file cannot deploy a module to a group of no subscription`, () => {
    const group = "resource g 'Microsoft.Resources/resourceGroups@2022-09-01' existing = {\n  name: 'g'\n}\n";
    const source = `targetScope = '${from}'\n${group}module m 'rg.bicep' = {\n  name: 'm'\n  scope: g\n}\n`;

    const found = limitsOf(source, files);

    assert.deepEqual(found, [`${code} g`]);
  });
}

it("a parameter that is a resource is neither a scope nor a parent", () => {
  const config = `{ "experimentalFeaturesEnabled": { "resourceTypedParamsAndOutputs": true } }`;
  const source =
    "param p resource 'A.B/c@2020-01-01'\nresource a 'A.B/c/d@2020-01-01' = {\n  parent: p\n  name: 'a/b'\n}\nresource b 'D.E/f@2020-01-01' = {\n  scope: p\n  name: 'b'\n}\n";

  const found = limitsOf(source, { "bicepconfig.json": config });

  assert.deepEqual(found, ["BCP229 p", "BCP229 p"]);
});

it("a management group as a scope stands for that group", () => {
  const source =
    "targetScope = 'tenant'\nresource g 'Microsoft.Management/managementGroups@2021-04-01' existing = {\n  name: 'g'\n}\nmodule m 'mg.bicep' = {\n  name: 'm'\n  scope: g\n}\n";

  assert.deepEqual(limitsOf(source, files), []);
});

it("a resource group as a scope stands for that group", () => {
  const source =
    "targetScope = 'subscription'\nresource g 'Microsoft.Resources/resourceGroups@2022-09-01' existing = {\n  name: 'g'\n  scope: subscription('s')\n}\nmodule m 'rg.bicep' = {\n  name: 'm'\n  scope: g\n}\n";
  const model = modelOf(source, files);
  const [module] = model.declarations.modules;
  assert.ok(module !== undefined);

  const scope = createScopes(model).of(module);

  const text = (span: { start: number; end: number } | undefined) => span && source.slice(span.start, span.end);
  assert.equal(text(scope.resourceGroup), "'g'");
  assert.equal(text(scope.subscription), "'s'");
});

it("resources that are each other's parent or scope come to an end", () => {
  const source =
    "resource a 'A.B/c@2020-01-01' = {\n  name: 'a'\n  scope: b\n}\nresource b 'A.B/c@2020-01-01' = {\n  name: 'b'\n  scope: a\n}\nresource c 'A.B/c/d@2020-01-01' = {\n  name: 'c'\n  parent: d\n}\nresource d 'A.B/c/d@2020-01-01' = {\n  name: 'd'\n  parent: c\n}\n";

  assert.doesNotThrow(() => limitsOf(source, files));
});
