import assert from "node:assert/strict";
import { it } from "node:test";
import { checkSource } from "./testing/check-source.ts";
import type { Row } from "./testing/check-source.ts";

const item = "type item = { name: string, size: int?, kind: 'small' | 'large' }\n";

const rows: readonly Row[] = [
  [
    "a value has the type of its place",
    "output a int = 'x'\nparam b string = 1\nvar c bool = 'x'",
    ["1:16 BCP033", "2:18 BCP033", "3:14 BCP033"],
  ],
  ["literals fit their kind", "output a string = 'x'\noutput b int = 1\noutput c bool = true", []],
  ["plain parameters fit literals of their kind", "param p string\noutput o 'a' | 'b' = p", []],
  [
    "refined values do not",
    "param p string\nvar v string = p\noutput a 'a' = v\noutput o 'a' | 'b' = '${p}x'",
    ["4:22 BCP033"],
  ],
  ["a possible null is a warning", "param p string?\noutput o string = p", ["2:19 BCP321W"]],
  [
    "items have the type of the array",
    "output o string[] = ['a', 1, nope]\noutput p string[] = ['a', 1]",
    ["1:30 BCP057", "2:27 BCP034"],
  ],
  ["spread items have it too", "param p int[]\noutput o string[] = [...p]", ["2:25 BCP403"]],
  ["properties have the type of the object", `${item}output o item = { name: 1, kind: 'small' }`, ["2:25 BCP036"]],
  [
    "a value close to an allowed one suggests it",
    `${item}output o item = { name: 'a', kind: 'smal' }`,
    ["2:36 BCP088"],
  ],
  ["required properties are there", `${item}output o item = { size: 1 }`, ["2:17 BCP035"]],
  [
    "missing properties of a property are told on its key",
    `${item}output o { inner: item } = { inner: {} }`,
    ["2:30 BCP035"],
  ],
  [
    "unknown properties are warnings",
    `${item}output o item = { name: 'a', kind: 'small', other: 1 }`,
    ["2:45 BCP037W"],
  ],
  [
    "unknown properties close to others suggest them",
    `${item}output o item = { name: 'a', kind: 'small', siz: 1 }`,
    ["2:45 BCP089W"],
  ],
  [
    "unknown properties of sealed types are errors",
    `@sealed()\n${item}output o item = { name: 'a', kind: 'small', other: 1 }`,
    ["3:45 BCP037"],
  ],
  [
    "values that are not written here may have more",
    `${item}param p { name: string, kind: 'small', other: int }\noutput o item = p`,
    [],
  ],
  ["other properties have the type of the rest", "output o { *: int } = { a: 1, b: 'x' }", ["1:34 BCP036"]],
  [
    "keys that are not known leave things open",
    `${item}param k string\noutput o item = { '\${k}': 1 }`,
    ["3:19 BCP040W"],
  ],
  [
    "a variable is looked through, and blamed",
    `${item}var v = { name: 1, kind: 'smal', siz: 2 }\noutput o item = v`,
    ["3:17 BCP036", "3:17 BCP037W"],
  ],
  ["parameters are not looked through", `${item}param p object\noutput o item = p`, []],
  ["a literal with syntax errors is not compared", `${item}output o item = { name: 1, = }`, []],
  [
    "integers stay within their range",
    range("int", "minValue", "maxValue", ["0", "11", "5"]),
    ["4:15 BCP328", "5:15 BCP327"],
  ],
  [
    "texts stay within their length",
    range("string", "minLength", "maxLength", ["'a'", "'abcdefghijklm'", "'abc'"]),
    ["4:15 BCP333", "5:15 BCP332"],
  ],
  [
    "arrays stay within their length",
    "@minLength(2)\n@maxLength(3)\noutput a array = [1]\n@maxLength(1)\noutput b array = [1, 2]",
    ["3:18 BCP333", "5:18 BCP332"],
  ],
  [
    "ranges that fit in part are warnings",
    "@minValue(0)\n@maxValue(10)\nparam p int\n@minValue(1)\n@maxValue(9)\noutput o int = p",
    ["6:16 BCP329W", "6:16 BCP330W"],
  ],
  [
    "lengths that fit in part are warnings",
    "@minLength(1)\n@maxLength(9)\nparam p string\n@minLength(2)\n@maxLength(8)\noutput o string = p",
    ["6:19 BCP334W", "6:19 BCP335W"],
  ],
  ["unknown ranges are silent", "param p int\n@minValue(1)\noutput o int = p", []],
  [
    "tuples have their number of items",
    "output a [int, int] = [1]\noutput b [int] = [1, 2]\noutput c [int, string] = [1, 2]",
    ["1:23 BCP333", "2:18 BCP332", "3:30 BCP034"],
  ],
  ["a tagged union picks a member", tagged("{ kind: 'a', x: 1 }"), []],
  ["the members' properties are checked", tagged("{ kind: 'a', x: 'y' }"), ["3:30 BCP036"]],
  ["the tag is needed", tagged("{ x: 1 }"), ["3:14 BCP078"]],
  ["a misspelled tag suggests the right one", tagged("{ kin: 'a' }"), ["3:14 BCP078", "3:16 BCP089"]],
  ["an unknown tag is reported on its value", tagged("{ kind: 'nope' }"), ["3:22 BCP036"]],
  ["a tag that is not known is a warning", `param p 'a' | 'b'\n${tagged("{ kind: p }")}`, ["4:22 BCP225W"]],
  ["every member of a union has to fit", "param p 'a' | 'b' | 'c'\noutput o 'a' | 'b' = p", ["2:22 BCP033"]],
  [
    "objects are compared with each member of a union",
    "type u = ({ a: 1 } | 'x')[]\noutput o u = [{ a: 1 }, 'x']\noutput p u = [{ a: 2 }]",
    ["3:20 BCP036"],
  ],
  [
    "a type that contains itself is compared",
    "type t = { next: t?, name: string }\nparam p t\noutput o t = p\noutput q t = { name: 'a', next: { name: 1 } }",
    ["4:41 BCP036"],
  ],
  ["namespaces are no values", "output o string = sys", ["1:19 BCP033"]],
];

for (const [rule, source, found, options] of rows) {
  it(rule, () => {
    assert.deepEqual(checkSource(source, options), found);
  });
}

function range(type: string, low: string, high: string, values: readonly string[]): string {
  const outputs = values.map((value, index) => `output o${index} t = ${value}`);
  return `@${low}(3)\n@${high}(10)\ntype t = ${type}\n${outputs.join("\n")}`;
}

function tagged(value: string): string {
  return `@discriminator('kind')\ntype t = { kind: 'a', x: int? } | { kind: 'b' }\noutput o t = ${value}`;
}
