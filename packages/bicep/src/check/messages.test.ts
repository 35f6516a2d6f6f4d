import assert from "node:assert/strict";
import { it } from "node:test";
import { Compilation, createMemoryHost } from "../files/index.ts";

// What the commonest mistakes are told: what is wrong, what is expected, and how to write it.

const web = "A.B/c@2020-01-01";
const files = {
  "m.bicep": "param name string\nparam kind 'web' | 'worker'\nparam n int = 1\n@export()\ntype t = string\n",
  "bad.bicep": "var a = nope\n@export()\nvar b = 1\n",
};

const rows: readonly (readonly [source: string, code: string, message: string])[] = [
  [module("{ name: 1, kind: 'web' }"), "BCP036", `"name" must be of type "string", but this is "1".`],
  [
    module("{ name: 'x', kind: 'wrker' }"),
    "BCP088",
    `"kind" must be 'web' | 'worker', not 'wrker'. Did you mean 'worker'?`,
  ],
  [
    "var a = { b: [1] }\nparam p string[] = [1]\noutput o object = a\n",
    "BCP034",
    `Items of this array must be of type "string", but this is "1".`,
  ],
  ["module m2 'm.bicep' = {\n  name: 'm2'\n}\n", "BCP035", `The module "m2" needs "params" with "kind", "name".`],
  [module("{ name: 'x' }"), "BCP035", `"params" needs "kind".`],
  [`resource r '${web}' = {\n}\n`, "BCP035", `The resource "r" needs "name".`],
  ["output o { a: int, b: int } = {}\n", "BCP035", `This object needs "a", "b".`],
  [
    `param on bool\nresource gw '${web}' = if (on) {\n  name: 'gw'\n}\noutput o object = gw.properties\n`,
    "BCP318",
    `"gw" may be null here, and then this fails when deployed. Use gw.?properties to get null instead, or gw!.properties if it is never null.`,
  ],
  [
    `param list string[]?\noutput o string = list[0]\n`,
    "BCP318",
    "The value may be null here, and then this fails when deployed. Use list[?0] to get null instead, or list![0] if it is never null.",
  ],
  [
    `param o { a: string }?\noutput x string = (o /* ${"long ".repeat(20)} */).a\n`,
    "BCP318",
    "The value may be null here, and then this fails when deployed.",
  ],
  [
    `resource r 'A.B/c/d@2020-01-01' = {\n  name: 'x'\n}\n`,
    "BCP169",
    `The type has 1 child segment, so the name needs 1 "/", as in 'parent/child'. Or set "parent".`,
  ],
  [
    `resource r 'A.B/c/d/e@2020-01-01' = {\n  name: 'x'\n}\n`,
    "BCP169",
    `The type has 2 child segments, so the name needs 2 "/", as in 'parent/child/child'. Or set "parent".`,
  ],
  [
    `resource r '${web}' = {\n  name: 'x/y'\n}\n`,
    "BCP169",
    `The name of this resource cannot contain "/": its type has no parent.`,
  ],
  [
    "var a = padLeft('x')\n",
    "BCP071",
    `padLeft(valueToPad, totalLength, paddingCharacter?) takes 2 to 3 arguments, and 1 is given.`,
  ],
  ["func f(a string, b int) string => a\nvar a = f('x')\n", "BCP071", "f(a, b) takes 2 arguments, and 1 is given."],
  ["func f() string => 'a'\nvar a = f('x', 'y')\n", "BCP071", "f() takes no arguments, and 2 are given."],
  ["var a = union()\n", "BCP071", `"union" takes at least 2 arguments, and 0 are given.`],
  ["resource r 'A.B/c' = {\n  name: 'x'\n}\n", "BCP029", `The api-version is missing: write "A.B/c@<api-version>".`],
  [
    `resource r '${"x/".repeat(200)}' = {\n  name: 'x'\n}\n`,
    "BCP029",
    `This is not a resource type. Write it as "<provider>/<type>@<api-version>".`,
  ],
  [
    "resource r 'abc' = {\n  name: 'x'\n}\n",
    "BCP029",
    `"abc" is not a resource type. Write it as "<provider>/<type>@<api-version>".`,
  ],
  [
    "module svc 'm.bicep' = [for i in range(0, 2): {\n  name: 'm${i}'\n  params: { name: 'x', kind: 'web' }\n}]\noutput o object = svc.outputs\n",
    "BCP055",
    `"svc" is a list of modules. Choose one of them, as in svc[0].outputs.`,
  ],
  ["var a = 'x'.y\n", "BCP055", `Values of type "'x'" have no properties.`],
  ["param p strin\n", "BCP302", `"strin" is not a type. Did you mean "string"?`],
  [
    "param p color\n",
    "BCP302",
    `"color" is not a type. Known types: "any", "array", "bool", "int", "object", "string".`,
  ],
  [module("{ name: nginx, kind: 'web' }"), "BCP057", `Nothing named "nginx" is in scope here. Did you mean 'nginx'?`],
  ["param p string = nginx\n", "BCP057", `Nothing named "nginx" is in scope here. Did you mean 'nginx'?`],
  [
    "param location string\noutput o string = locaton\n",
    "BCP057",
    `Nothing named "locaton" is in scope here. Did you mean "location"?`,
  ],
  ["output o int = nginx\n", "BCP057", `Nothing named "nginx" is in scope here.`],
  ["var a = nginx\n", "BCP057", `Nothing named "nginx" is in scope here.`],
  [
    "module m 'bad.bicep' = {\n  name: 'm'\n}\n",
    "BCP104",
    `The file "bad.bicep" has errors. They are reported for that file.`,
  ],
  ["import { b } from 'bad.bicep'\n", "BCP104", `The file "bad.bicep" has errors. They are reported for that file.`],
];

for (const [source, code, message] of rows) {
  it(`${code} says: ${message}`, () => {
    assert.deepEqual(messagesOf(source, code), [message]);
  });
}

it("an unknown name that decides what is expected of it is reported once", () => {
  const type = "@discriminator('kind')\ntype t = { kind: 'a', x: int } | { kind: 'b', y: int }\n";

  assert.deepEqual(messagesOf(`${type}param p t = { kind: a, x: 1 }\n`, "BCP057").length, 1);
  assert.deepEqual(messagesOf(`${type}output o t[] = [{ x: { y: a }, kind: a }]\n`, "BCP057").length, 2);
});

function messagesOf(source: string, code: string): string[] {
  const all = new Map(Object.entries({ ...files, "main.bicep": source }).map(([path, text]) => [`/${path}`, text]));
  const compilation = new Compilation({ host: createMemoryHost({ files: all }) });
  const found = compilation.diagnostics("/main.bicep").find(({ path }) => path === "/main.bicep")?.diagnostics ?? [];
  return found.filter((diagnostic) => diagnostic.code === code).map((diagnostic) => diagnostic.message);
}

function module(params: string): string {
  return `module m 'm.bicep' = {\n  name: 'm'\n  params: ${params}\n}\n`;
}
