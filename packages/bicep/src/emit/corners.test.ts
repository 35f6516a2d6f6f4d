import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compile, compileParameters } from "./testing/compile.ts";

const template = (members: object) =>
  JSON.stringify({
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    languageVersion: "2.0",
    contentVersion: "1.0.0.0",
    resources: {},
    ...members,
  });

describe("imports of JSON templates", () => {
  it("follow accesses, numbers and other arguments inside of expressions", () => {
    const json = template({
      metadata: { "__bicep_exported_variables!": [{ name: "v" }, { name: "absent" }] },
      variables: {
        v: ["[variables('o').a[variables('i')].b]", "[add(variables('i'), 1)]", "[other.f('x')]", null, 1.5],
        o: { a: [] },
        i: 0,
      },
      functions: [{ namespace: "other", members: { f: { parameters: [], output: { type: "string", value: "" } } } }],
    });
    const { functions, variables } = compile("import { v } from 't.json'\nvar w = v\n", { files: { "/t.json": json } });
    assert.deepEqual(variables.v, [
      "[variables('_1.o').a[variables('_1.i')].b]",
      "[add(variables('_1.i'), 1)]",
      "[_1._2('x')]",
      null,
      1.5,
    ]);
    assert.deepEqual(functions[0].namespace, "_1");
  });

  it("give types whose members can be taken", () => {
    const json = template({
      definitions: {
        shape: { type: "object", properties: { "a/b": { type: "string" } }, metadata: { "__bicep_export!": true } },
      },
    });
    const { parameters } = compile(
      "import * as t from 't.json'\nparam p t.shape\nimport { shape } from 't.json'\nparam q shape[]\n",
      {
        files: { "/t.json": json },
      },
    );
    assert.deepEqual(parameters.p, { $ref: "#/definitions/shape" });
    assert.deepEqual(parameters.q, { type: "array", items: { $ref: "#/definitions/shape" } });
  });
});

describe("imports of functions", () => {
  it("bring the imported functions that they call", () => {
    const files = {
      "/a.bicep": "@export()\nfunc base(x string) string => x\n",
      "/b.bicep": "import { base } from 'a.bicep'\n@export()\nfunc outer(x string) string => base(x)\n",
    };
    const { functions } = compile("import { outer } from 'b.bicep'\noutput o string = outer('x')\n", { files });
    assert.equal(
      functions.find((group: { namespace: string }) => group.namespace === "__bicep").members.outer.output.value,
      "[_1.base(parameters('x'))]",
    );
  });
});

describe("corners of expressions", () => {
  it("end chains where nothing copes with what is missing", () => {
    const source = "param flag bool\nresource r 'My.Rp/a@2020-01-01' = if (flag) {\n  name: 'r'\n}\nvar v = r.?id.x\n";
    const { variables } = compile(source, { tolerateErrors: true });
    assert.equal(variables.v, "[if(parameters('flag'), resourceId('My.Rp/a', 'r'), null()).x]");
  });

  it("emit variables in place whose items are found at run time, or whose resources are no Azure ones", () => {
    const source = `
extension radius
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'app'
  properties: {}
}
resource rs 'My.Rp/a@2020-01-01' = [for i in range(0, 2): {
  name: 'r\${i}'
}]
var byIndex = rs[length(rs[0].properties.x)].id
var id = app.id
output a string = byIndex
output b string = id
output c object = app.listSecrets()
`;
    const { outputs, variables } = compile(source, { tolerateErrors: true });
    assert.equal(variables, undefined);
    assert.match(outputs.a.value, /^\[resourceId\('My\.Rp\/a', format\('r\{0\}', range\(0, 2\)\[length\(reference\(/);
    assert.equal(outputs.b.value, "[reference('app').id]");
    assert.equal(outputs.c.value, "[invokeResourceMethod('app', 'listSecrets', createArray())]");
  });

  it("depend on what computed names of a body's own members mention", () => {
    const source =
      "resource a 'My.Rp/a@2020-01-01' = {\n  name: 'a'\n}\nresource r 'My.Rp/r@2020-01-01' = {\n  name: 'r'\n  '${a.name}': 1\n}\n";
    const { resources } = compile(source, { features: ["symbolicNameCodegen"], tolerateErrors: true });
    assert.deepEqual(resources.r.dependsOn, ["a"]);
    assert.equal(resources.r["[format('{0}', 'a')]"], 1);
  });

  it("keep integers that take the place of a name", () => {
    const source = "resource r 'My.Rp/a@2020-01-01' = {\n  name: any(5)\n}\n";
    assert.equal(compile(source, { tolerateErrors: true }).resources[0].name, 5);
  });

  it("make nothing of what is no value", () => {
    const { variables } = compile("type t = string\nvar v = [t, az, unknown, unknown::x]\n", { tolerateErrors: true });
    assert.deepEqual(variables.v, ["[null()]", "[null()]", "[null()]", "[null()]"]);
  });

  it("open extension declarations of Azure itself", () => {
    const source = "extension az\nresource r 'My.Rp/a@2020-01-01' = {\n  name: 'r'\n}\n";
    const { imports, resources } = compile(source, { tolerateErrors: true });
    assert.equal(imports.az.provider, "AzureResourceManager");
    assert.equal(resources.r.import, "az");
  });

  it("read members of types that do not say what they hold", () => {
    const { definitions } = compile(
      "type o = { a: { b: string } }\ntype s = string\ntype x = o.missing\ntype y = s.a\ntype z = o.a.b\ntype tuple = [string]\ntype w = tuple[3]\n",
      { tolerateErrors: true },
    );
    assert.deepEqual(definitions.z, { $ref: "#/definitions/o/properties/a/properties/b" });
    assert.deepEqual(definitions.x, { $ref: "#/definitions/o/properties/missing" });
  });
});

describe("corners of parameters files", () => {
  it("read what the extended file computes from its own base, and nothing where there is none", () => {
    const files = {
      "/one.bicepparam": "using none\nparam a = 'one'\n",
      "/two.bicepparam": "using none\nextends 'one.bicepparam'\nparam b = '${base.a} two'\n",
    };
    const { value } = compileParameters("using none\nextends 'two.bicepparam'\nparam c = '${base.b} three'\n", {
      files,
    });
    assert.deepEqual(value.parameters, {
      c: { value: "one two three" },
      b: { value: "one two" },
      a: { value: "one" },
    });
  });

  it("say when a value refers to itself", () => {
    const { value } = compileParameters("using none\nvar v = w\nvar w = v\nparam p = v\nparam q = 1\n");
    assert.deepEqual(value.parameters, { q: { value: 1 } });
  });
});

describe("files with errors", () => {
  const sources = [
    "resource r 'bad' = {\n  name: 'r'\n}\noutput o string = r.id\noutput p string = r.apiVersion\nvar v = r.name\n",
    "resource r 'My.Rp/a@2020-01-01' = {}\nresource c 'My.Rp/a/b@2020-01-01' = {\n  parent: r\n}\noutput o string = c.id\n",
    "resource r 'My.Rp/a@2020-01-01' = [for i in range(0, 2): {\n  name: 'r'\n  resource c 'b' = {\n    name: 'c'\n    resource d 'e' = {\n      name: 'd'\n    }\n  }\n}]\n",
    "resource r 'nothing:My.Rp/a@2020-01-01' = {\n  name: 'r'\n}\n",
    "resource r 'My.Rp/a@2020-01-01' = \n",
    "module m 'missing.bicep' = {\n  name: 'm'\n}\noutput o string = m.outputs.x\n",
    "module m = {\n  params: 5\n  extensionConfigs: {\n    '${1}': {\n      '${2}': 3\n    }\n  }\n}\n",
    "import { x } from 'missing.bicep'\nimport * as y from 'missing.bicep'\nvar v = [x, y.z, x(), y.f()]\ntype t = x\ntype u = y.z\n",
    "import { x } from\nimport * as y from 5\nvar v = x\n",
    "extension missing with {\n  '${1}': 2\n}\n",
    "extension missing\n",
    "type t = { : string, '${1}': int }\ntype u = resourceInput<string>.x\ntype v = u\n@discriminator('k')\ntype w = string | t\n",
    "type n = ({ a: (string)? })?\ntype x = n.a\ntype y = x!\n",
    "param p resource\noutput o resource = 5\n",
    "@secure()\nparam p int\n@description(5)\n@minLength()\nparam q string\n",
    "var v = loadTextContent(p)\nvar w = [loadJsonContent('missing.json')]\nparam p string\n",
    "var v = { : 1, 'a${v}': 2 }\nvar w = kv.getSecret()\nvar x = [for i in]\n",
    "func f => 5\nfunc g(a) => a\noutput o string = g(1, 2)\n",
    "resource kv 'Microsoft.KeyVault/vaults@2019-09-01' existing = {\n  name: 'kv'\n}\nmodule m 'm.bicep' = {\n  params: {\n    s: kv.getSecret()\n    t: f.getSecret('x')\n    '${1}': [for x in []: x]\n  }\n}\n",
  ];
  for (const [at, source] of sources.entries()) {
    it(`are emitted as far as they go (${at})`, () => {
      const files = { "/m.bicep": "@secure()\nparam s string = ''\n" };
      assert.equal(compile(source, { files, tolerateErrors: true }).contentVersion, "1.0.0.0");
    });
  }
});
