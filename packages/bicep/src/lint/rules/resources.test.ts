import assert from "node:assert/strict";
import { it } from "node:test";
import { findings } from "../testing/findings.ts";
import type { FindingRow } from "../testing/findings.ts";

const parent = "resource p 'A.B/c@2020-01-01' = {\n  name: 'p'\n}\n";

const tables: Readonly<Record<string, readonly FindingRow[]>> = {
  "use-parent-property": [
    [
      "a name that repeats a parent's",
      `${parent}resource a 'A.B/c/d@2020-01-01' = {\n  name: '\${p.name}/a'\n}\nresource b 'A.B/c/d@2020-01-01' = {\n  name: 'p/b'\n}\n`,
      "'${p.name}/a'",
      "'p/b'",
    ],
    [
      "a parent with holes in its name",
      "param x string\nresource p 'A.B/c@2020-01-01' = {\n  name: 'p-${x}'\n}\nresource a 'A.B/c/d@2020-01-01' = {\n  name: 'p-${x}/a'\n}\nresource q 'A.B/e@2020-01-01' = {\n  name: x\n}\nresource b 'A.B/e/f@2020-01-01' = {\n  name: '${x}/b'\n}\n",
      "'p-${x}/a'",
      "'${x}/b'",
    ],
    [
      "other types, names and scopes are no parents",
      `${parent}resource a 'A.B/x/d@2020-01-01' = {\n  name: '\${p.name}/a'\n}\nresource b 'A.B/c/d@2020-01-01' = {\n  name: 'q/b'\n}\nresource c 'A.B/c/d@2020-01-01' existing = {\n  name: 'p/b'\n  scope: resourceGroup('g')\n}\n`,
    ],
  ],
  "no-unnecessary-dependson": [
    [
      "what is mentioned anyway, also by way of others",
      `${parent}var v = p.id\nresource a 'A.B/c@2020-01-01' = {\n  name: 'a'\n  properties: {\n    x: v\n  }\n  dependsOn: [\n    p\n  ]\n}\nresource b 'A.B/c@2020-01-01' = {\n  name: 'b'\n  tags: {\n    x: a.id\n  }\n  dependsOn: [\n    p\n  ]\n}\n`,
      "p",
      "p",
    ],
    [
      "what is listed twice",
      `${parent}resource a 'A.B/c@2020-01-01' = {\n  name: 'a'\n  dependsOn: [\n    p\n    p\n  ]\n}\n`,
      "p",
    ],
    [
      "a parent",
      `${parent}resource a 'A.B/c/d@2020-01-01' = {\n  name: 'a'\n  parent: p\n  dependsOn: [\n    p\n  ]\n}\n`,
      "p",
    ],
    [
      "what is needed stays",
      `${parent}resource a 'A.B/c@2020-01-01' = {\n  name: 'a'\n  dependsOn: [\n    p\n  ]\n}\n`,
    ],
  ],
  "use-stable-resource-identifiers": [
    [
      "names that change with every deployment",
      "param now string = utcNow()\nparam id string = newGuid()\nvar v = 'x${id}'\nresource a 'A.B/c@2020-01-01' = {\n  name: 'a${now}'\n}\nresource b 'A.B/c@2020-01-01' = {\n  name: v\n  tags: {\n    t: now\n  }\n}\n",
      "'a${now}'",
      "v",
    ],
  ],
  "use-stable-vm-image": [
    [
      "previews",
      "resource a 'A.B/c@2020-01-01' = {\n  name: 'a'\n  properties: {\n    storageProfile: {\n      imageReference: {\n        offer: 'x'\n        sku: 'y-Preview'\n        version: 'preview'\n      }\n    }\n  }\n}\n",
      "'y-Preview'",
      "'preview'",
    ],
  ],
  "use-recent-az-powershell-version": [
    [
      "versions below the minimum",
      "resource a 'Microsoft.Resources/deploymentScripts@2023-08-01' = {\n  name: 'a'\n  kind: 'AzurePowerShell'\n  properties: {\n    azPowerShellVersion: '9.7'\n  }\n}\nresource b 'Microsoft.Resources/deploymentScripts@2023-08-01' = {\n  name: 'b'\n  kind: 'AzurePowerShell'\n  properties: {\n    azPowerShellVersion: '11.0'\n  }\n}\n",
      "resource a 'Microsoft.Resources/deploymentScripts@2023-08-01' = {\n  name: 'a'\n  kind: 'AzurePowerShell'\n  properties: {\n    azPowerShellVersion: '9.7'\n  }\n}",
    ],
  ],
  "no-deployments-resources": [
    [
      "a nested deployment",
      "resource a 'Microsoft.Resources/deployments@2022-09-01' = {\n  name: 'a'\n}\n",
      "'Microsoft.Resources/deployments@2022-09-01'",
    ],
  ],
  "nested-deployment-template-scoping": [
    [
      "names of the file mean nothing in an inner-scoped template",
      "param x string\nresource a 'Microsoft.Resources/deployments@2022-09-01' = {\n  name: 'a'\n  properties: {\n    expressionEvaluationOptions: {\n      scope: 'inner'\n    }\n    template: {\n      y: x\n      z: resourceGroup().id\n    }\n    parameters: {\n      x: x\n    }\n  }\n}\n",
      "x",
    ],
    [
      "an outer-scoped template sees them",
      "param x string\nresource a 'Microsoft.Resources/deployments@2022-09-01' = {\n  name: 'a'\n  properties: {\n    template: {\n      y: x\n    }\n  }\n}\n",
    ],
  ],
  "use-resource-symbol-reference": [
    [
      "calls about a declared resource",
      `${parent}output a object = reference(p.id)\noutput b object = listKeys(p.name, '2020-01-01')\noutput c object = reference(resourceId('A.B/c', 'p'), '2020-01-01')\n`,
      "reference(p.id)",
      "listKeys(p.name, '2020-01-01')",
      "reference(resourceId('A.B/c', 'p'), '2020-01-01')",
    ],
    [
      "another version and other resources",
      `${parent}output a object = reference(p.id, '1999-01-01')\noutput b object = reference(resourceId('A.B/c', 'q'))\n`,
    ],
  ],
  "use-resource-id-functions": [
    [
      "ids that are put together by hand",
      `param x string\nvar v = '/a/\${x}'\n${parent}resource a 'A.B/c@2020-01-01' = {\n  name: 'a'\n  properties: {\n    fooId: '/subscriptions/\${x}'\n    barId: resourceId('A.B/c', 'x')\n    bazId: p.id\n    uid: '/x/y'\n    plainId: 'word'\n    paramId: x\n    choiceId: true ? '/a/b' : '/c'\n    joinedId: '\${p.name}/x'\n    variableId: v\n  }\n}\n`,
      "fooId",
      "variableId",
    ],
  ],
  "no-module-name": [["a name that is not needed", "module m 'm.bicep' = {\n  name: 'm'\n}\n", "name: 'm'"]],
  "no-hardcoded-location": [
    [
      "literals, and variables once",
      "var v = 'west'\nresource a 'A.B/c@2020-01-01' = {\n  name: 'a'\n  location: 'west'\n}\nresource b 'A.B/c@2020-01-01' = {\n  name: 'b'\n  location: v\n}\nresource c 'A.B/c@2020-01-01' = {\n  name: 'c'\n  location: v\n}\nresource d 'A.B/c@2020-01-01' = {\n  name: 'd'\n  location: 'Global'\n}\n",
      "v",
      "'west'",
    ],
  ],
  "no-loc-expr-outside-params": [
    [
      "only defaults ask for the location",
      "param l string = resourceGroup().location\nvar a = resourceGroup().location\nvar b = deployment().location\nvar c = resourceGroup().name\n",
      "resourceGroup().location",
      "deployment().location",
    ],
  ],
  "explicit-values-for-loc-params": [
    [
      "a module's location has no hidden default",
      "module a 'm.bicep' = {\n  name: 'a'\n}\nmodule b 'm.bicep' = {\n  name: 'b'\n  params: {}\n}\nmodule c 'm.bicep' = {\n  name: 'c'\n  params: {\n    place: 'x'\n  }\n}\n",
      "a",
      "params: {}",
    ],
  ],
  "use-description-params": [["one without", "@description('x')\nparam a string\nparam b string\n", "b"]],
  "use-description-vars": [["one without", "@description('x')\nvar a = 1\nvar b = 1\n", "b"]],
  "use-description-types": [
    ["one without", "@metadata({\n  description: 'x'\n})\ntype a = string\ntype b = string\n", "b"],
  ],
  "use-description-outputs": [["one without", "@description('x')\noutput a int = 1\noutput b int = 1\n", "b"]],
  "use-description-type-properties": [
    ["one without", "type t = {\n  @description('x')\n  a: string\n  b: string\n}\n", "b"],
  ],
};

const files = {
  "m.bicep": "param place string = 'x'\nresource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n  location: place\n}\n",
};

for (const [rule, rows] of Object.entries(tables)) {
  for (const [sentence, source, ...found] of rows) {
    it(`${rule}: ${sentence}`, () => {
      assert.deepEqual(findings(rule, source, { files }), found);
    });
  }
}

it("use-recent-az-powershell-version: the minimum can be configured", () => {
  const source =
    "resource a 'Microsoft.Resources/deploymentScripts@2023-08-01' = {\n  name: 'a'\n  kind: 'AzurePowerShell'\n  properties: {\n    azPowerShellVersion: '9.7'\n  }\n}\n";

  const found = findings("use-recent-az-powershell-version", source, { options: { minimumVersion: "9.0" } });

  assert.deepEqual(found, []);
});
