import assert from "node:assert/strict";
import { it } from "node:test";
import { checkSource } from "./testing/check-source.ts";
import type { Row } from "./testing/check-source.ts";

const resource = "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n}";

const rows: readonly Row[] = [
  ["an unknown decorator is reported", "@nope()\nparam p string", ["1:2 BCP057"]],
  ["a bare name is no decorator", "@sys\n@q\nparam p string\nparam q string", ["1:2 BCP141", "2:2 BCP141"]],
  ["a decorator needs its parentheses", "@secure\nparam p string", ["1:2 BCP063"]],
  ["a function is no decorator", "@concat('a')\n@sys.length('a')\nparam p string", ["1:2 BCP152", "2:6 BCP152"]],
  [
    "decorators have their kinds of declarations",
    `@batchSize(1)\nparam p string\n@secure()\nvar v = 1\n@secure()\n${resource}\n@batchSize(1)\noutput o int = 1\n@secure()\nmetadata m = 1\n@allowed([])\ntype t = int`,
    ["1:2 BCP125", "3:2 BCP126", "5:2 BCP127", "9:2 BCP129", "11:2 BCP269", "13:2 BCP297"],
  ],
  [
    "decorators have their types",
    "@secure()\nparam p int\n@minValue(1)\nparam q string\n@minLength(1)\nparam r int\n@sealed()\nparam s string",
    ["1:1 BCP124", "3:1 BCP124", "5:1 BCP124", "7:1 BCP124"],
  ],
  ["null does not matter to decorators", "@minLength(1)\nparam p string?", []],
  ["a decorator is given once", "@minLength(1)\n@minLength(2)\nparam p string", ["1:1 BCP166", "2:1 BCP166"]],
  [
    "arguments are constants",
    "param x int\n@minLength(x)\n@description('a${x}')\nparam p string",
    ["2:12 BCP032", "3:14 BCP032"],
  ],
  ["negative numbers are constants", "@minValue(-1)\nparam p int\n@minLength(-1)\nparam q string", ["3:12 BCP168"]],
  ["a decorator with errors has no effect", "@minLength(nope)\nparam p string\noutput o 'a' = p", ["1:12 BCP057"]],
  ["allowed values fit the parameter", "@allowed(['a', 1])\nparam p string", ["1:16 BCP034"]],
  ["allowed values are needed", "@allowed([])\nparam p string", ["1:10 BCP099"]],
  ["allowed values of an array are its items", "@allowed(['a'])\nparam p array = ['b']", ["2:18 BCP034"]],
  ["allowed values become the type", "@allowed(['a', 'b'])\nparam p string\noutput o 'a' = p", ["3:16 BCP033"]],
  [
    "an alias is not refined",
    "type t = string\n@minLength(1)\nparam p t\n@secure()\nparam q t",
    ["2:1 BCP308", "4:1 BCP308"],
  ],
  ["a literal is not refined", "@minLength(1)\ntype t = 'a' | 'b'", ["1:1 BCP295"]],
  [
    "bounds are in order",
    "@minLength(2)\n@maxLength(1)\nparam p string\n@maxValue(1)\n@minValue(2)\nparam q int",
    ["1:1 BCP331", "5:1 BCP331"],
  ],
  ["an open type is not sealed", "@sealed()\ntype t = { *: int }", ["1:1 BCP316"]],
  ["a derived type is not sealed", "@sealed()\ntype t = resourceInput<'A.B/c@2020-01-01'>.properties", ["1:1 BCP386"]],
  ["batches are for loops", `@batchSize(2)\n${resource}`, ["1:1 BCP155"]],
  [
    "batches have items",
    "@batchSize(0)\nresource r 'A.B/c@2020-01-01' = [for i in range(0, 2): {\n  name: 'r${i}'\n}]",
    ["1:12 BCP154"],
  ],
  ["only existing resources can be missing", `@nullIfNotFound()\n${resource}`, ["1:1 BCP445"]],
  [
    "properties and items are decorated too",
    "type t = {\n  @minValue(1)\n  a: string\n  @allowed([1])\n  b: int\n}\ntype u = [\n  @secure()\n  int\n]",
    ["2:3 BCP124", "4:4 BCP297", "8:3 BCP124"],
  ],
  ["only statements are exported", "type t = {\n  @export()\n  a: string\n}", ["2:3 BCP361"]],
  [
    "what is exported uses what can be",
    "param p string\nvar v = p\n@export()\nvar w = v\n@export()\nfunc f() string => v",
    ["3:1 BCP372", "5:1 BCP372"],
  ],
  ["something follows a decorator", "@secure()\n\n@description('a')\n", ["3:1 BCP132"]],
  ["what follows depends on the decorator", "@secure()\n", ["1:1 BCP292"]],
  ["some statements take none", "@description('a')\ntargetScope = 'tenant'", ["1:1 BCP130"]],
  [
    "metadata is an object with a text",
    "@metadata({ description: 1 })\nparam p string\n@metadata('x')\nparam q string",
    ["1:26 BCP036", "3:11 BCP070"],
  ],
];

for (const [rule, source, found, options] of rows) {
  it(rule, () => {
    assert.deepEqual(checkSource(source, options), found);
  });
}
