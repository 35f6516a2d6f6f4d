import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compile } from "./testing/compile.ts";

const lib = `
@export()
@description('a name')
type name = string
type hidden = { n: name }
@export()
type holder = hidden[]
@export()
var greeting = '\${word} there'
var word = 'hi'
@export()
var loop = [for i in range(0, 2): '\${word}\${i}']
@export()
@description('greets')
func greet(who name) string => '\${greeting} \${inner(who)}'
func inner(who string) string => who
`;

const json = JSON.stringify({
  $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  languageVersion: "2.0",
  contentVersion: "1.0.0.0",
  metadata: { "__bicep_exported_variables!": [{ name: "odd-name" }, { name: "looped" }] },
  definitions: {
    shape: { type: "object", properties: { p: { $ref: "#/definitions/part" } }, metadata: { "__bicep_export!": true } },
    part: { type: "string" },
  },
  functions: [
    {
      namespace: "__bicep",
      members: {
        f: {
          parameters: [{ type: "string", name: "x" }],
          output: { type: "string", value: "[__bicep.g(concat(parameters('x'), variables('base')))]" },
          metadata: { "__bicep_export!": true, description: "f" },
        },
        g: { parameters: [{ type: "string", name: "x" }], output: { type: "string", value: "[parameters('x')]" } },
      },
    },
  ],
  variables: {
    "odd-name": { "[variables('base')]": ["[variables('base')]", "[[literal]", 1, "[broken("] },
    base: "b",
    copy: [{ name: "looped", count: 2, input: "[copyIndex('looped')]" }],
  },
  resources: {},
});

const files = { "/lib/a.bicep": lib, "/lib/t.json": json };

describe("imports", () => {
  it("of a module lead from its folder to the other one", () => {
    const template = compile("module m 'modules/m.bicep' = {}\n", {
      files: { ...files, "/modules/m.bicep": "import { name } from '../lib/a.bicep'\nparam p name = 'x'\n" },
    });
    const { definitions } = template.resources.m.properties.template;
    assert.deepEqual(definitions.name.metadata["__bicep_imported_from!"], { sourceTemplate: "../lib/a.bicep" });
  });

  it("by name keep the name they get, and bring what they need under names of ours", () => {
    const template = compile(
      "import { greeting as hello, holder, greet } from 'lib/a.bicep'\nparam p holder\noutput o string = greet(hello)\n",
      { files },
    );
    assert.equal(template.languageVersion, "2.0");
    assert.deepEqual(template.variables, { "_1.word": "hi", hello: "[format('{0} there', variables('_1.word'))]" });
    assert.deepEqual(Object.keys(template.definitions), ["_1.hidden", "_1.name", "holder"]);
    const source = { "__bicep_imported_from!": { sourceTemplate: "lib/a.bicep" } };
    assert.deepEqual(template.definitions.holder, {
      type: "array",
      items: { $ref: "#/definitions/_1.hidden" },
      metadata: source,
    });
    assert.deepEqual(template.definitions["_1.name"].metadata, { description: "a name", ...source });
    assert.deepEqual(template.parameters.p, { $ref: "#/definitions/holder" });
    assert.deepEqual(
      template.functions.map((group: { namespace: string; members: object }) => [
        group.namespace,
        Object.keys(group.members),
      ]),
      [
        ["_1", ["inner"]],
        ["__bicep", ["greet"]],
      ],
    );
    assert.equal(
      template.functions[1].members.greet.output.value,
      "[format('{0} {1}', variables('hello'), _1.inner(parameters('who')))]",
    );
    assert.deepEqual(template.functions[1].members.greet.metadata, { description: "greets", ...source });
    assert.equal(template.outputs.o.value, "[__bicep.greet(variables('hello'))]");
  });

  it("say what they are called where they come from, when that differs", () => {
    const { definitions } = compile("import { name as label } from 'lib/a.bicep'\nparam p label\n", { files });
    assert.deepEqual(definitions.label.metadata["__bicep_imported_from!"], {
      sourceTemplate: "lib/a.bicep",
      originalIdentifier: "name",
    });
  });

  it("of whole files bring only what is used", () => {
    const template = compile(
      "import * as a from 'lib/a.bicep'\nparam p a.name\nparam q a.holder[]\nvar list = a.loop\noutput o string = a.greet(p)\n",
      { files },
    );
    assert.deepEqual(template.parameters.p, { $ref: "#/definitions/_1.name" });
    assert.deepEqual(template.parameters.q.items, { $ref: "#/definitions/_1.holder" });
    assert.equal(template.variables.list, "[variables('_1.loop')]");
    assert.deepEqual(template.variables.copy, [
      {
        name: "_1.loop",
        count: "[length(range(0, 2))]",
        input: "[format('{0}{1}', variables('_1.word'), range(0, 2)[copyIndex('_1.loop')])]",
      },
    ]);
    assert.equal(template.outputs.o.value, "[_1.greet(parameters('p'))]");
  });

  it("follow the imports of the files they come from", () => {
    const more =
      "import { greeting } from '../lib/a.bicep'\nimport * as lib from '../lib/a.bicep'\n@export()\nvar both = [greeting, lib.loop]\n";
    const { variables } = compile("import { both } from 'more/b.bicep'\nvar v = both\n", {
      files: { ...files, "/more/b.bicep": more },
    });
    assert.deepEqual(variables.both, ["[variables('_1.greeting')]", "[variables('_1.loop')]"]);
  });

  it("of JSON templates are renamed inside of expressions", () => {
    const template = compile(
      "import { 'odd-name' as odd, looped, shape, f } from 'lib/t.json'\nparam p shape\nvar v = [odd, looped]\noutput o string = f('x')\n",
      { files },
    );
    const base = "[variables('_1.base')]";
    assert.deepEqual(template.variables.odd, { [base]: [base, "[[literal]", 1, "[broken("] });
    assert.deepEqual(template.variables.copy, [
      { name: "looped", count: "[length(range(0, 2))]", input: "[copyIndex('looped')]" },
    ]);
    assert.deepEqual(template.definitions.shape, {
      type: "object",
      properties: { p: { $ref: "#/definitions/_1.part" } },
      metadata: { "__bicep_imported_from!": { sourceTemplate: "lib/t.json" } },
    });
    const f = template.functions.find((group: { namespace: string }) => group.namespace === "__bicep").members.f;
    assert.equal(f.output.value, "[_1.g(concat(parameters('x'), variables('_1.base')))]");
    assert.deepEqual(f.metadata, {
      description: "f",
      "__bicep_imported_from!": { sourceTemplate: "lib/t.json" },
    });
  });

  it("take files along that imported variables load", () => {
    const source = "@export()\nvar t = { text: loadTextContent('x.txt') }\n";
    const { variables } = compile("import { t } from 'lib/l.bicep'\nvar v = t\n", {
      files: { "/lib/l.bicep": source, "/lib/x.txt": "content" },
      loaded: { "text x.txt": "content" },
    });
    assert.deepEqual(variables, { v: "[variables('t')]", "_1._2": "content", t: { text: "[variables('_1._2')]" } });
  });

  it("name artifacts of a registry as the file does", () => {
    const reference = "br:example.io/lib:v1";
    const { definitions } = compile(
      `import { shape } from '${reference}'\nimport * as all from '${reference}'\nparam p shape\nparam q all.shape\n`,
      {
        files: { "/cache/main.json": json },
        artifacts: { [reference]: "/cache/main.json" },
        tolerateErrors: true,
      },
    );
    assert.equal(definitions.shape.metadata["__bicep_imported_from!"].sourceTemplate, reference);
  });
});

describe("loaded files", () => {
  const loaded = {
    "text a.txt": "[text]",
    "base64 a.txt": "W10=",
    "json a.json": new Map<string, never>([
      ["copy", 1.5 as never],
      ["list", [1n, null, true, "[x]"] as never],
    ]),
    "json a.json.b": 3n,
    "directory .*.txt": [],
  };
  const files = { "/a.txt": "[text]", "/a.json": '{ "copy": 1.5, "list": [1, null, true, "[x]"], "b": 3 }' };

  it("are variables, unless a text is the whole of one", () => {
    const { variables } = compile(
      "var whole = loadTextContent('a.txt')\nvar parts = [loadTextContent('a.txt'), sys.loadFileAsBase64('a.txt')]\nvar document = loadJsonContent('a.json')\n",
      { files, loaded },
    );
    assert.deepEqual(variables, {
      "$fxv#0": "[[text]",
      "$fxv#1": "W10=",
      "$fxv#2": { "[string('copy')]": "[json('1.5')]", list: [1, null, true, "[[x]"] },
      whole: "[[text]",
      parts: ["[variables('$fxv#0')]", "[variables('$fxv#1')]"],
      document: "[variables('$fxv#2')]",
    });
  });

  it("are ordered by the text of their names", () => {
    const calls = Array.from({ length: 11 }, () => "loadTextContent('a.txt')").join(", ");
    const { variables } = compile(`var list = [${calls}]\n`, { files, loaded });
    assert.deepEqual(Object.keys(variables).slice(0, 4), ["$fxv#0", "$fxv#1", "$fxv#10", "$fxv#2"]);
  });

  it("stand in the bodies of functions, which see no such variables", () => {
    const template = compile(
      "func text() string => '${loadTextContent('a.txt')}!'\nfunc document() object => loadJsonContent('a.json')\nfunc part() int => length([loadJsonContent('a.json')])\n",
      { files, loaded },
    );
    const { members } = template.functions[0];
    assert.equal(template.variables, undefined);
    assert.equal(members.text.output.value, "[format('{0}!', '[text]')]");
    assert.deepEqual(members.document.output.value.list, [1, null, true, "[[x]"]);
    assert.equal(
      members.part.output.value,
      "[length(createArray(createObject('copy', json('1.5'), 'list', createArray(1, null(), true(), '[x]'))))]",
    );
  });

  it("are known from their types when nobody loads them", () => {
    const { variables } = compile("var whole = loadTextContent('a.txt')\nvar part = loadJsonContent('a.json', 'b')\n", {
      files,
    });
    assert.equal(variables.whole, "[[text]");
  });
});
