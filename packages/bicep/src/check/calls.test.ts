import assert from "node:assert/strict";
import { it } from "node:test";
import { checkSource } from "./testing/check-source.ts";
import type { Row } from "./testing/check-source.ts";

const secretModule = { files: { "m.bicep": "@secure()\nparam p string" } };

const rows: readonly Row[] = [
  ["the number of arguments is checked", "var a = padLeft('s')\nvar b = padLeft()", ["1:16 BCP071", "2:16 BCP071"]],
  [
    "the type of an argument is checked",
    "var a = split(1, ',')\nvar b = substring('a', 'b')",
    ["1:15 BCP070", "2:24 BCP070"],
  ],
  ["no overload takes it", "var a = concat({})\nvar b = length(1)", ["1:16 BCP048", "2:16 BCP048"]],
  ["the mismatch furthest right counts", "var a = concat('s', [])", ["1:21 BCP070"]],
  ["errors of arguments come with a wrong count", "var a = padLeft(nope)", ["1:16 BCP071", "1:17 BCP057"]],
  ["any fits everywhere", "param p object\nvar a = split(p.x, p.y)", []],
  ["a possible null is a warning", "param p string?\nvar a = toLower(p)", ["2:17 BCP321W"]],
  ["literal calls are evaluated", "output o 'ab' = toLower('AB')\noutput p 3 = length('abc')", []],
  ["calls that fail are told", "var a = substring('abc', 5)", ["1:19 BCP234W", "1:26 BCP327"]],
  ["text that is no JSON is reported", "var a = json('{')", ["1:14 BCP186"]],
  ["JSON has the type of its value", "var a = json('{ \"b\": 1 }').c", ["1:28 BCP053"]],
  ["names can be asked for", "var a = nameof(a.b)\nvar c = nameof(1 + 2)", ["1:16 BCP079", "2:16 BCP408"]],
  [
    "a lambda's parameters have the item's type",
    "var a = map([{ b: 1 }], x => x.b + 1)\nvar c = map([{ b: 1 }], x => x.c)",
    ["2:25 BCP070", "2:32 BCP053"],
  ],
  ["an error inside of a lambda does not fit either", "var a = map([1], x => nope)", ["1:18 BCP070", "1:23 BCP057"]],
  [
    "a lambda has as many parameters as it gets",
    "var a = map([1], (x, y, z) => x)\nvar b = map([1], (x, y) => y)",
    ["1:18 BCP070"],
  ],
  ["a predicate is a bool", "var a = filter([1], x => 'a')", ["1:21 BCP070"]],
  [
    "declared functions check their arguments",
    "func f(a string) int => 1\nvar b = f(1)\nvar c = f()\nvar d = f('x') + 1",
    ["2:11 BCP070", "3:10 BCP071"],
  ],
  ["the body of a function fits its type", "func f() int => 'a'", ["1:17 BCP033"]],
  ["types of parameters that are wrong are told where they are used", "func f(a nope) string => a", ["1:26 BCP062"]],
  ["a secret goes to a secure parameter only", secret("'${kv.getSecret('s')}'"), ["7:11 BCP180"], secretModule],
  ["a secret may be a branch", secret("true ? kv.getSecret('s') : 'x'"), [], secretModule],
  [
    "a secret is no variable",
    "resource kv 'Microsoft.KeyVault/vaults@2019-09-01' existing = {\n  name: 'kv'\n}\nvar a = kv.getSecret('s')",
    ["4:9 BCP180"],
  ],
  [
    "an argument that cannot be read leaves the call its result",
    "var o = { a: 1 }\nvar v = toLower(o.nope)\noutput x int = v\nvar w = toLower(nope)\noutput y int = w",
    ["2:19 BCP053", "3:16 BCP033", "4:17 BCP057", "5:16 BCP062"],
  ],
  [
    "split text has a first and a last piece",
    "param p string\noutput a string = first(split(p, ','))\noutput b string = last(split(p, ','))",
    [],
  ],
  ["the function providers is deprecated", "var a = providers('A.B')", ["1:9 BCP241W"]],
  [
    "files are loaded by constant paths",
    "param p string\nvar a = loadTextContent(p)\nvar b = 'x.txt'\nvar c = loadTextContent(b)",
    ["2:25 BCP032"],
    { files: { "x.txt": "hello" } },
  ],
  ["loaded text is a literal", "output o 'hello' = loadTextContent('x.txt')", [], { files: { "x.txt": "hello" } }],
  ["missing files are reported on the path", "var a = loadTextContent('x.txt')", ["1:25 BCP091"]],
];

for (const [rule, source, found, options] of rows) {
  it(rule, () => {
    assert.deepEqual(checkSource(source, options), found);
  });
}

function secret(value: string): string {
  return `resource kv 'Microsoft.KeyVault/vaults@2019-09-01' existing = {
  name: 'kv'
}
module m 'm.bicep' = {
  name: 'm'
  params: {
    p: ${value}
  }
}`;
}
