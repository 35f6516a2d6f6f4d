import assert from "node:assert/strict";
import { it } from "node:test";
import { checkSource } from "./testing/check-source.ts";
import type { Row } from "./testing/check-source.ts";

const module =
  "param required string\nparam optional int = 1\noutput text string = required\noutput maybe string? = null";
const files = {
  files: { "m.bicep": module, "sub.bicep": "targetScope = 'subscription'", "bad.bicep": "var a = nope" },
};

const deploymentRows: readonly Row[] = [
  [
    "a choice of scopes is a scope by its type",
    "param far bool\nmodule m 'n.bicep' = {\n  scope: far ? resourceGroup('other') : resourceGroup()\n}",
    [],
    { files: { "n.bicep": "" } },
  ],
  ["the type of a resource is plain text", "resource r 'A.B/${1}@2020-01-01' = {}", ["1:12 BCP047"]],
  [
    "the type of a resource has a shape",
    "resource r 'nope' = {}\nresource s 'A.B/c' = {}\nresource t 'A.B/c@x' = {}",
    ["1:12 BCP029", "2:12 BCP029", "3:12 BCP029"],
  ],
  [
    "a resource of an invalid type is not looked into",
    "resource r 'nope' = {\n  name: nope\n}\nvar v = r.id",
    ["1:12 BCP029", "4:9 BCP062"],
  ],
  ["unknown namespaces of types are reported", "resource r 'ns:A.B/c@2020-01-01' = {}", ["1:12 BCP208"]],
  [
    "types of other providers are warned about",
    "resource r 'A.B/c/providers/d@2020-01-01' = {\n  name: 'a/b/c'\n}",
    ["1:12 BCP174W"],
  ],
  [
    "nested types have one segment",
    "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n  resource s 'd/e' = {\n    name: 's'\n  }\n}",
    ["3:14 BCP156"],
  ],
  [
    "nested types need a valid parent",
    "resource r 'nope' = {\n  resource s 'd' = {\n    name: 's'\n  }\n}",
    ["1:12 BCP029", "2:14 BCP157"],
  ],
  ["a resource has a name", "resource r 'A.B/c@2020-01-01' = {}", ["1:10 BCP035"]],
  ["a name is text", "resource r 'A.B/c@2020-01-01' = {\n  name: 1\n  location: 2\n}", ["2:9 BCP036", "3:13 BCP036W"]],
  [
    "what a type library would know is open",
    "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n  unknown: 1\n  properties: {\n    a: 1\n  }\n}\nvar v = [r.whatever, r.properties.a.b, r.properties.c.d]",
    ["8:37 BCP055"],
  ],
  ["identity cannot be set", "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n  id: 'x'\n}", ["3:3 BCP073"]],
  [
    "existing resources are not changed",
    "resource r 'A.B/c@2020-01-01' existing = {\n  name: 'r'\n  location: 'x'\n}",
    ["3:3 BCP173"],
  ],
  ["scope cannot be read", "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n}\nvar v = r.scope", ["4:11 BCP077"]],
  [
    "a literal name is known",
    "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n}\noutput o 'r' = r.name\noutput p 'A.B/c' = r.type",
    [],
  ],
  [
    "a parent is of the type above",
    "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n}\nresource s 'A.B/x/y@2020-01-01' = {\n  parent: r\n  name: 's'\n}",
    ["5:11 BCP036"],
  ],
  [
    "any is no dependency",
    "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n  dependsOn: [any('x')]\n}",
    ["3:15 BCP176"],
  ],
  ["a condition is a bool", "resource r 'A.B/c@2020-01-01' = if (1) {\n  name: nope\n}", ["1:36 BCP046", "2:9 BCP057"]],
  [
    "what may be off may be missing",
    "param on bool\nresource r 'A.B/c@2020-01-01' = if (on) {\n  name: 'r'\n}\nvar v = [r.id, r.location, r.?location, r!.location]",
    ["5:17 BCP318W"],
  ],
  ["what is surely on is not", "resource r 'A.B/c@2020-01-01' = if (true) {\n  name: 'r'\n}\nvar v = r.location", []],
  [
    "functions of what may be off may fail",
    "param on bool\nresource r 'A.B/c@2020-01-01' = if (on) {\n  name: 'r'\n}\nvar v = r.listKeys()",
    ["5:11 BCP422W"],
  ],
  [
    "a loop of resources is an array",
    "resource r 'A.B/c@2020-01-01' = [for i in range(0, 2): {\n  name: 'r${i}'\n}]\nvar v = [r[0].id, r['x']]",
    ["4:21 BCP074"],
  ],
  [
    "methods are those of the type",
    "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n}\nvar v = [r.listKeys(), r.getSecret('x')]",
    ["4:26 BCP109"],
  ],

  ["a module has a path", "module m = {}", ["1:10 BCP090"]],
  ["the path of a module is plain text", "module m '${1}' = {}", ["1:10 BCP092"]],
  ["the file of a module exists", "module m 'nope.bicep' = {\n  params: nope\n}", ["1:10 BCP091"]],
  ["a module with errors says so", "module m 'bad.bicep' = {}", ["1:10 BCP104"], files],
  ["parameters of a module are given", "module m 'm.bicep' = {\n  name: 'm'\n}", ["1:8 BCP035"], files],
  ["required parameters are given", "module m 'm.bicep' = {\n  params: {}\n}", ["2:3 BCP035"], files],
  [
    "parameters have their types",
    "module m 'm.bicep' = {\n  params: {\n    required: 1\n    nope: 2\n  }\n}",
    ["3:15 BCP036", "4:5 BCP037"],
    files,
  ],
  [
    "parameters are written out",
    "var p = { required: 'x' }\nmodule m 'm.bicep' = {\n  params: p\n}",
    ["3:11 BCP183"],
    files,
  ],
  [
    "outputs of a module are known",
    `${valid("m.outputs.text")}\nvar w = m.outputs.nope\noutput o int = m.outputs.text`,
    ["7:19 BCP053", "8:16 BCP033"],
    files,
  ],
  [
    "outputs of a module cannot be set",
    "module m 'm.bicep' = {\n  params: { required: 'x' }\n  outputs: {}\n}",
    ["3:3 BCP073"],
    files,
  ],
  ["a module of another scope needs one", "module m 'sub.bicep' = {\n  name: 'm'\n}", ["1:8 BCP035"], files],
  [
    "the name of a module has a shape",
    "module m 'sub.bicep' = {\n  name: 'a b'\n  scope: subscription()\n}",
    ["2:9 BCP416"],
    files,
  ],
  [
    "a module that may be off may be missing",
    "param on bool\nmodule m 'm.bicep' = if (on) {\n  params: { required: 'x' }\n}\nvar v = [m.name, m.outputs.text]",
    ["5:19 BCP318W"],
    files,
  ],

  [
    "tests and assertions are features",
    "assert a = true\ntest t 'm.bicep' = {\n  params: { required: 'x' }\n}",
    ["1:1 BCP349", "2:1 BCP348"],
    files,
  ],
  ["an assertion is a bool", "assert a = 1", ["1:1 BCP349", "1:12 BCP350"]],
  ["metadata is constant", "param p string\nmetadata m = p\nmetadata n = { a: [1, 'x'] }", ["2:14 BCP032"]],
];

const exported = `@export()
type item = { a: string }
@export()
var text = 'hello'
@export()
func twice(s string) string => '\${s}\${s}'
var hidden = 1`;
const imports = { files: { "lib.bicep": exported, "bad.bicep": "var a = nope" } };

const importRows: readonly Row[] = [
  [
    "exports can be imported",
    "import { item, text, twice } from 'lib.bicep'\nparam p item\noutput o 'hello' = text\noutput q string = twice(text)",
    [],
    imports,
  ],
  [
    "exports can be renamed",
    "import { text as t } from 'lib.bicep'\noutput o 'hello' = t\nvar v = text",
    ["3:9 BCP057"],
    imports,
  ],
  [
    "exports have names in an import of everything",
    "import * as lib from 'lib.bicep'\nparam p lib.item\noutput o 'hello' = lib.text\noutput q string = lib.twice('a')",
    [],
    imports,
  ],
  [
    "other names are not there",
    "import * as lib from 'lib.bicep'\nparam p lib.nope\nvar v = lib.hidden\nvar w = lib.nope()",
    ["2:13 BCP053", "3:13 BCP053", "4:13 BCP107"],
    imports,
  ],
  ["only exports are imported", "import { hidden } from 'lib.bicep'", ["1:10 BCP360"], imports],
  [
    "a failed import is no value, function or type",
    "import { hidden } from 'lib.bicep'\nvar a = hidden\nvar b = hidden()\nparam p hidden",
    ["1:10 BCP360", "2:9 BCP063", "3:9 BCP059", "4:9 BCP287"],
    imports,
  ],
  ["a symbol is imported once", "import { text, text as t } from 'lib.bicep'", ["1:10 BCP362", "1:16 BCP362"], imports],
  ["quoted imports need a name", "import { 'text' } from 'lib.bicep'", ["1:10 BCP375"], imports],
  ["files with errors are not imported from", "import { a } from 'bad.bicep'", ["1:14 BCP104"], imports],
  ["missing files are reported once", "import { a, b } from 'nope.bicep'", ["1:22 BCP091"], imports],
  [
    "imported functions check their arguments",
    "import { twice } from 'lib.bicep'\nvar v = twice(1)",
    ["2:15 BCP070"],
    imports,
  ],
];

for (const [rule, source, found, options] of [...deploymentRows, ...importRows]) {
  it(rule, () => {
    assert.deepEqual(checkSource(source, options), found);
  });
}

function valid(value: string): string {
  return `module m 'm.bicep' = {
  params: {
    required: 'x'
  }
}
var v = ${value}`;
}
