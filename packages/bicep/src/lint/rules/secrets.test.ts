import assert from "node:assert/strict";
import { it } from "node:test";
import { findings } from "../testing/findings.ts";
import type { FindingRow } from "../testing/findings.ts";

const secret = "@secure()\nparam s string\n";

const tables: Readonly<Record<string, readonly FindingRow[]>> = {
  "secure-parameter-default": [
    [
      "a secret that is in the template",
      "@secure()\nparam a string = 'x'\n@secure()\nparam b object = {\n  c: 1\n}\n",
      "= 'x'",
      "= {\n  c: 1\n}",
    ],
    [
      "empty, random and secure defaults give nothing away",
      `${secret}@secure()\nparam a string = ''\n@secure()\nparam b object = {}\n@secure()\nparam c string = 'x\${newGuid()}'\n@secure()\nparam d string = s\n`,
    ],
    ["parameters that are not secure may have defaults", "param a string = 'x'\n"],
  ],
  "outputs-should-not-contain-secrets": [
    ["a secure parameter", `${secret}output a string = 'x\${s}'\noutput b string = toUpper(s)\n`, "s", "s"],
    [
      "a secure property, an item and what contains one",
      "param o {\n  @secure()\n  a: string\n  b: string\n}\noutput a string = o.a\noutput b string = o.b\noutput c object = o\noutput d string = o['a']\n",
      "a",
      "o",
      "'a'",
    ],
    [
      "keys that are listed",
      "resource r 'A.B/c@2020-01-01' existing = {\n  name: 'r'\n}\noutput a object = r.listKeys()\noutput b string = listKeys('x', '2020-01-01').y\n",
      "r.listKeys()",
      "listKeys('x', '2020-01-01')",
    ],
    [
      "keys of what a loop or a constant chooses, not of what a lambda chooses",
      "resource r 'A.B/c@2020-01-01' = [for i in range(0, 2): {\n  name: 'r${i}'\n}]\noutput a array = [for i in range(0, 2): r[i].listKeys()]\noutput b object = r[0].listKeys()\noutput c array = map([0, 1], i => r[i].listKeys())\noutput d array = map([0, 1], i => map([i], j => (r[i + j]).listKeys().k))\noutput e array = map([0], i => r[0].listKeys(i))\noutput f array = map([0], i => listKeys('${i}', '2020-01-01'))\n",
      "r[i].listKeys()",
      "r[0].listKeys()",
      "r[0].listKeys(i)",
      "listKeys('${i}', '2020-01-01')",
    ],
    ["a name that says password", "output adminPassword string = 'x'\n", "output adminPassword string = 'x'"],
    ["a secure output is protected", `${secret}@secure()\noutput password string = s\n`],
  ],
  "secure-secrets-in-params": [
    [
      "names that sound secret",
      "param adminPassword string\nparam accountKey object\nparam pwd int\nparam secretName string\nparam p string\n",
      "adminPassword",
      "accountKey",
    ],
    ["defaults made of secrets", `${secret}param a string = 'x\${s}'\n`, "a"],
    ["secure ones are fine", "@secure()\nparam password string\n"],
  ],
  "adminusername-should-not-be-literal": [
    [
      "the same name everywhere",
      "var v = 'admin'\nparam p string\nresource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n  properties: {\n    adminUsername: 'admin'\n    a: {\n      AdminUserName: v\n    }\n    b: {\n      adminUsername: p\n    }\n  }\n}\nvar w = {\n  adminUsername: 'x'\n}\n",
      "'admin'",
      "v",
    ],
  ],
  "protect-commandtoexecute-secrets": [
    [
      "a command that shows a secret",
      `${secret}resource r 'Microsoft.Compute/virtualMachines/extensions@2020-01-01' = {\n  name: 'v/r'\n  properties: {\n    publisher: 'Microsoft.Compute'\n    type: 'CustomScriptExtension'\n    settings: {\n      commandToExecute: 'run \${s}'\n    }\n  }\n}\n`,
      "commandToExecute",
    ],
    [
      "protected settings and other extensions are fine",
      `${secret}resource a 'Microsoft.Compute/virtualMachines/extensions@2020-01-01' = {\n  name: 'v/a'\n  properties: {\n    publisher: 'Microsoft.Compute'\n    type: 'CustomScriptExtension'\n    protectedSettings: {\n      commandToExecute: s\n    }\n  }\n}\nresource b 'Microsoft.Compute/virtualMachines/extensions@2020-01-01' = {\n  name: 'v/b'\n  properties: {\n    publisher: 'Somebody'\n    type: 'Else'\n    settings: {\n      commandToExecute: s\n    }\n  }\n}\n`,
    ],
  ],
  "secure-params-in-nested-deploy": [
    [
      "an outer-scoped template shows what it is given",
      `${secret}resource d 'Microsoft.Resources/deployments@2022-09-01' = {\n  name: 'd'\n  properties: {\n    template: {\n      a: s\n      b: listKeys('x', '2020-01-01')\n    }\n  }\n}\n`,
      "d",
      "d",
    ],
    [
      "an inner-scoped one does not",
      `${secret}resource d 'Microsoft.Resources/deployments@2022-09-01' = {\n  name: 'd'\n  properties: {\n    expressionEvaluationOptions: {\n      scope: 'inner'\n    }\n    template: {\n      a: s\n    }\n  }\n}\n`,
    ],
  ],
  "artifacts-parameters": [
    ["one without the other", "param _artifactsLocation string\n", "_artifactsLocation"],
    [
      "types and defaults",
      "param _artifactsLocation int = 1\nparam _artifactsLocationSasToken string = 'x'\n",
      "int",
      "= 1",
      "string",
      "= 'x'",
    ],
    [
      "as they should be",
      "param _artifactsLocation string = deployment().properties.templateLink.uri\n@secure()\nparam _artifactsLocationSasToken string = ''\n",
    ],
    [
      "a module is given both",
      "module a 'artifacts.bicep' = {\n  name: 'a'\n}\nmodule b 'artifacts.bicep' = {\n  name: 'b'\n  params: {\n    _artifactsLocation: 'x'\n    _artifactsLocationSasToken: 'y'\n  }\n}\n",
      "a",
      "a",
    ],
  ],
};

const files = {
  "artifacts.bicep":
    "param _artifactsLocation string = ''\n@secure()\nparam _artifactsLocationSasToken string = ''\noutput o string = _artifactsLocation\n",
};

for (const [rule, rows] of Object.entries(tables)) {
  for (const [sentence, source, ...found] of rows) {
    it(`${rule}: ${sentence}`, () => {
      assert.deepEqual(findings(rule, source, { files }), found);
    });
  }
}

it("secure-params-in-parameters-file: a secret goes to no other parameter", () => {
  const template = "@secure()\nparam s string\nparam p string\nparam q string\n";
  const source = "using 'main.bicep'\nvar v = s\nparam s = 'x'\nparam p = 'y${v}'\nparam q = 'z'\n";

  const found = findings("secure-params-in-parameters-file", source, {
    name: "main.bicepparam",
    files: { "main.bicep": template },
  });

  assert.deepEqual(found, ["'y${v}'"]);
});
