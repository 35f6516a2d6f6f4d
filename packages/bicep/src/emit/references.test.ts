import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compile } from "./testing/compile.ts";
import type { Json } from "./testing/compile.ts";

const resources = `
param flag bool
param i int
resource r 'My.Rp/a@2020-01-01' = {
  name: 'r'
}
resource child 'My.Rp/a/b@2021-01-01' = {
  parent: r
  name: 'child'
}
resource slashed 'My.Rp/a/b@2021-01-01' = {
  name: 'one/two'
}
resource below 'My.Rp/a/b/c@2021-01-01' = {
  parent: slashed
  name: 'three'
}
resource rs 'My.Rp/a@2020-01-01' = [for (x, at) in range(0, 3): {
  name: 'rs-\${x}-\${at}'
}]
resource maybe 'My.Rp/a@2020-01-01' = if (flag) {
  name: 'maybe'
}
resource outer 'My.Rp/a@2020-01-01' = {
  name: 'outer'
  resource inner 'b' = {
    name: 'inner'
  }
}
module m 'm.bicep' = {
  name: 'm'
}
module ms 'm.bicep' = [for x in range(0, 3): {
  name: 'ms-\${x}'
}]
module maybeM 'm.bicep' = if (flag) {
  name: 'maybeM'
}
`;

const moduleFile = "output plain string = 'a'\noutput obj object = { a: [1] }\n";

function outputOf(expression: string, features: readonly string[] = []): Json {
  const files = { "/m.bicep": moduleFile };
  return compile(`${resources}output x array = [any(${expression})]\n`, { features, files }).outputs.x.value[0];
}

const id = "resourceId('My.Rp/a', 'r')";
const itemId = "resourceId('My.Rp/a', format('rs-{0}-{1}', range(0, 3)[parameters('i')], parameters('i')))";

/** Reading resources and modules: the source, what classic templates have for it, and what symbolic names make of it. */
const table: readonly (readonly [source: string, classic: string, symbolic: string])[] = [
  ["r.id", `[${id}]`, `[${id}]`],
  ["r.name", "r", "r"],
  ["r.type", "My.Rp/a", "My.Rp/a"],
  ["r.apiVersion", "2020-01-01", "2020-01-01"],
  ["r['name']", "r", "r"],
  ["(r)!.name", "r", "r"],
  ["r.properties", `[reference(${id}, '2020-01-01')]`, "[reference('r')]"],
  ["r.properties.x.y", `[reference(${id}, '2020-01-01').x.y]`, "[reference('r').x.y]"],
  [
    "r.location",
    `[reference(${id}, '2020-01-01', 'full').location]`,
    "[reference('r', '2020-01-01', 'full').location]",
  ],
  ["r", `[reference(${id}, '2020-01-01', 'full')]`, "[reference('r', '2020-01-01', 'full')]"],
  ["r.?id", `[${id}]`, `[${id}]`],
  [
    "r.?tags.a",
    `[tryGet(reference(${id}, '2020-01-01', 'full'), 'tags', 'a')]`,
    "[tryGet(reference('r', '2020-01-01', 'full'), 'tags', 'a')]",
  ],
  ["r.listKeys().a", `[listKeys(${id}, '2020-01-01').a]`, "[listKeys('r', '2020-01-01').a]"],
  [
    "r.listKeys('2019-01-01', {})",
    `[listKeys(${id}, '2019-01-01', createObject())]`,
    "[listKeys('r', '2019-01-01', createObject())]",
  ],

  ["child.id", "[resourceId('My.Rp/a/b', 'r', 'child')]", "[resourceId('My.Rp/a/b', 'r', 'child')]"],
  ["child.name", "child", "child"],
  [
    "slashed.id",
    "[resourceId('My.Rp/a/b', split('one/two', '/')[0], split('one/two', '/')[1])]",
    "[resourceId('My.Rp/a/b', split('one/two', '/')[0], split('one/two', '/')[1])]",
  ],
  [
    "below.id",
    "[resourceId('My.Rp/a/b/c', split('one/two', '/')[0], split('one/two', '/')[1], 'three')]",
    "[resourceId('My.Rp/a/b/c', split('one/two', '/')[0], split('one/two', '/')[1], 'three')]",
  ],
  [
    "outer::inner.properties",
    "[reference(resourceId('My.Rp/a/b', 'outer', 'inner'), '2020-01-01')]",
    "[reference('outer::inner')]",
  ],
  [
    "outer::inner",
    "[reference(resourceId('My.Rp/a/b', 'outer', 'inner'), '2020-01-01', 'full')]",
    "[reference('outer::inner', '2020-01-01', 'full')]",
  ],

  ["rs[i].id", `[${itemId}]`, `[${itemId}]`],
  [
    "rs[i].name",
    "[format('rs-{0}-{1}', range(0, 3)[parameters('i')], parameters('i'))]",
    "[format('rs-{0}-{1}', range(0, 3)[parameters('i')], parameters('i'))]",
  ],
  ["rs[i].properties.x", `[reference(${itemId}, '2020-01-01').x]`, "[reference(format('rs[{0}]', parameters('i'))).x]"],
  [
    "rs[i]",
    `[reference(${itemId}, '2020-01-01', 'full')]`,
    "[reference(format('rs[{0}]', parameters('i')), '2020-01-01', 'full')]",
  ],
  [
    "rs[i].listKeys()",
    `[listKeys(${itemId}, '2020-01-01')]`,
    "[listKeys(format('rs[{0}]', parameters('i')), '2020-01-01')]",
  ],

  [
    "maybe.?id",
    "[if(parameters('flag'), resourceId('My.Rp/a', 'maybe'), null())]",
    "[if(parameters('flag'), resourceId('My.Rp/a', 'maybe'), null())]",
  ],
  [
    "maybe.?properties.x",
    "[tryGet(if(parameters('flag'), reference(resourceId('My.Rp/a', 'maybe'), '2020-01-01', 'full'), null()), 'properties', 'x')]",
    "[tryGet(if(parameters('flag'), reference('maybe', '2020-01-01', 'full'), null()), 'properties', 'x')]",
  ],
  ["maybe!.properties.x", "[reference(resourceId('My.Rp/a', 'maybe'), '2020-01-01').x]", "[reference('maybe').x]"],

  ["m.name", "m", "m"],
  ["m.?name", "m", "m"],
  [
    "m.outputs.plain",
    "[reference(resourceId('Microsoft.Resources/deployments', 'm'), '2025-04-01').outputs.plain.value]",
    "[reference('m').outputs.plain.value]",
  ],
  [
    "m.outputs['plain']",
    "[reference(resourceId('Microsoft.Resources/deployments', 'm'), '2025-04-01').outputs.plain.value]",
    "[reference('m').outputs.plain.value]",
  ],
  [
    "m.outputs.obj.a[0]",
    "[reference(resourceId('Microsoft.Resources/deployments', 'm'), '2025-04-01').outputs.obj.value.a[0]]",
    "[reference('m').outputs.obj.value.a[0]]",
  ],
  [
    "m.outputs.?obj.a",
    "[tryGet(tryGet(reference(resourceId('Microsoft.Resources/deployments', 'm'), '2025-04-01').outputs, 'obj'), 'value', 'a')]",
    "[tryGet(tryGet(reference('m').outputs, 'obj'), 'value', 'a')]",
  ],
  [
    "m.outputs",
    "[reference(resourceId('Microsoft.Resources/deployments', 'm'), '2025-04-01').outputs]",
    "[reference('m').outputs]",
  ],
  ["m", "[reference(resourceId('Microsoft.Resources/deployments', 'm'), '2025-04-01')]", "[reference('m')]"],
  [
    "ms[i].name",
    "[format('ms-{0}', range(0, 3)[parameters('i')])]",
    "[format('ms-{0}', range(0, 3)[parameters('i')])]",
  ],
  [
    "ms[i].outputs.plain",
    "[reference(resourceId('Microsoft.Resources/deployments', format('ms-{0}', range(0, 3)[parameters('i')])), '2025-04-01').outputs.plain.value]",
    "[reference(format('ms[{0}]', parameters('i'))).outputs.plain.value]",
  ],
  [
    "maybeM.?outputs.plain",
    "[tryGet(if(parameters('flag'), reference(resourceId('Microsoft.Resources/deployments', 'maybeM'), '2025-04-01'), null()), 'outputs', 'plain', 'value')]",
    "[tryGet(if(parameters('flag'), reference('maybeM'), null()), 'outputs', 'plain', 'value')]",
  ],
];

describe("references to resources and modules", () => {
  for (const [source, classic, symbolic] of table) {
    it(`emits ${source} in both forms`, () => {
      assert.equal(outputOf(source), classic);
      assert.equal(outputOf(source, ["symbolicNameCodegen"]), symbolic);
    });
  }

  it("reads whole collections with the function that takes symbolic names", () => {
    const files = { "/m.bicep": moduleFile };
    const template = compile(
      `${resources}output a array = map(rs, x => x.name)\noutput b array = map(ms, x => x.name)\n`,
      {
        files,
      },
    );
    assert.equal(template.languageVersion, "2.0");
    assert.match(template.outputs.a.value, /^\[map\(references\('rs', 'full'\), /);
    assert.match(template.outputs.b.value, /^\[map\(references\('ms'\), /);
  });

  it("asks the deployment about constants when that is wanted", () => {
    const features = ["resourceInfoCodegen"];
    assert.equal(outputOf("r.id", features), "[resourceInfo('r').id]");
    assert.equal(outputOf("r.name", features), "[resourceInfo('r').name]");
    assert.equal(outputOf("r.type", features), "[resourceInfo('r').type]");
    assert.equal(outputOf("r.apiVersion", features), "[resourceInfo('r').apiVersion]");
    assert.equal(outputOf("child.name", features), "[last(split(resourceInfo('child').name, '/'))]");
    assert.equal(outputOf("r.properties", features), "[reference('r')]");
  });

  it("fetches secure outputs apart, with symbolic names", () => {
    const files = { "/s.bicep": "@secure()\noutput secret string = 'x'\noutput plain string = 'y'\n" };
    const template = compile(
      "module s 's.bicep' = {\n  name: 's'\n}\nmodule t 't.bicep' = {\n  name: 't'\n  params: {\n    a: s.outputs.secret\n    b: s.outputs.?secret\n    c: s.outputs.plain\n  }\n}\n",
      { files: { ...files, "/t.bicep": "@secure()\nparam a string\n@secure()\nparam b string?\nparam c string\n" } },
    );
    assert.equal(template.languageVersion, "2.0");
    assert.deepEqual(template.resources.t.properties.parameters, {
      a: { value: "[listOutputsWithSecureValues('s', '2025-04-01').secret]" },
      b: { value: "[tryGet(listOutputsWithSecureValues('s', '2025-04-01'), 'secret')]" },
      c: { value: "[reference('s').outputs.plain.value]" },
    });
  });
});

describe("variables that need run-time values", () => {
  const source = (variable: string) => `${resources}var v = ${variable}\noutput x array = [any(v)]\n`;
  const files = { "/m.bicep": moduleFile };

  for (const expression of [
    "r.properties.x",
    "r",
    "rs[0]",
    "m.outputs.plain",
    "reference('x')",
    "listKeys('x', 'y')",
    "r.listKeys()",
    "[r.properties]",
    "w",
  ]) {
    it(`are emitted in place: ${expression}`, () => {
      const template = compile(`var w = r.properties.x\n${source(expression)}`, { files });
      assert.equal(template.variables?.v, undefined);
      const direct = compile(`var w = r.properties.x\n${resources}output x array = [any(${expression})]\n`, { files });
      assert.deepEqual(template.outputs.x.value, direct.outputs.x.value);
    });
  }

  for (const expression of [
    "r.id",
    "rs[0].name",
    "r.type",
    "r.apiVersion",
    "m.name",
    "nameof(r.properties)",
    "resourceGroup().id",
  ]) {
    it(`stay variables when they need none: ${expression}`, () => {
      const template = compile(source(expression), { files });
      assert.notEqual(template.variables.v, undefined);
      assert.deepEqual(template.outputs.x.value, ["[variables('v')]"]);
    });
  }

  it("vanish when nobody uses them", () => {
    assert.equal(compile("var v = reference('x')\n").variables, undefined);
  });

  it("are looked through by accesses", () => {
    const template = compile(`${resources}var v = r\nvar w = v\noutput x string = w.id\n`, { files });
    assert.equal(template.outputs.x.value, `[${id}]`);
  });
});

describe("existing resources", () => {
  const existing = `
param p string
resource e 'My.Rp/a@2020-01-01' existing = {
  name: p
}
output x object = e.properties
`;

  it("are left out of classic templates and are members of symbolic ones", () => {
    assert.deepEqual(compile(existing).resources, []);
    assert.equal(
      compile(existing).outputs.x.value,
      "[reference(resourceId('My.Rp/a', parameters('p')), '2020-01-01')]",
    );
    const symbolic = compile(existing, { features: ["symbolicNameCodegen"] });
    assert.deepEqual(symbolic.resources, {
      e: { existing: true, type: "My.Rp/a", apiVersion: "2020-01-01", name: "[parameters('p')]" },
    });
    assert.equal(symbolic.outputs.x.value, "[reference('e')]");
  });

  it("are never members when their name is known only at run time", () => {
    const source = `
resource r 'My.Rp/a@2020-01-01' = {
  name: 'r'
}
resource e 'My.Rp/a@2020-01-01' existing = {
  name: r.properties.other
}
resource below 'My.Rp/a/b@2020-01-01' existing = {
  parent: e
  name: 'below'
}
resource on 'My.Rp/x@2020-01-01' existing = {
  scope: below
  name: 'on'
}
output x string = e.id
output y string = below.id
output z string = on.id
`;
    const template = compile(source, { features: ["symbolicNameCodegen"] });
    assert.deepEqual(Object.keys(template.resources), ["r"]);
    assert.equal(template.outputs.x.value, "[resourceId('My.Rp/a', reference('r').other)]");
    assert.equal(template.outputs.y.value, "[resourceId('My.Rp/a/b', reference('r').other, 'below')]");
    assert.equal(
      template.outputs.z.value,
      "[extensionResourceId(resourceId('My.Rp/a/b', reference('r').other, 'below'), 'My.Rp/x', 'on')]",
    );
  });
});
