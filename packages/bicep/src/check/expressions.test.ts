import assert from "node:assert/strict";
import { it } from "node:test";
import { checkSource } from "./testing/check-source.ts";
import type { Row } from "./testing/check-source.ts";

const values = "param s string\nparam n string?\nparam i int\nparam o { a: string, b: int? }?\nparam list string[]\n";

const rows: readonly Row[] = [
  [
    "operators take what they are made for",
    "var a = !1\nvar b = -'s'\nvar c = 1 + 's'\nvar d = 'a' =~ 1",
    ["1:9 BCP044", "2:9 BCP044", "3:9 BCP045", "4:9 BCP045"],
  ],
  ["anything can be compared for equality", "var a = 1 == 'a'\nvar b = [1] != { a: 1 }", []],
  ["a null operand does not fit", `${values}var a = n =~ 'x'`, ["6:9 BCP045"]],
  [
    "inside of a branch a null operand is a warning",
    `${values}var a = n == null ? 'x' : (n =~ 'x' ? 'y' : 'z')`,
    ["6:28 BCP321W"],
  ],
  ["division by zero is told", "var a = 1 / 0\nvar b = 1 % 0", ["1:9 BCP234W", "2:9 BCP234W", "2:9 BCP410"]],
  ["a condition is a bool", "var a = 1 ? 2 : 3", ["1:9 BCP046"]],
  [
    "a part with errors silences the rest",
    "var a = null ? nope : 1\nvar b = [nope, !1]",
    ["1:16 BCP057", "2:10 BCP057", "2:16 BCP044"],
  ],
  ["a loop needs an array", "var a = [for x in 'abc': x]", ["1:19 BCP137"]],
  ["a loop over what may be null is a warning", "param l string[]?\nvar a = [for x in l: x]", ["2:19 BCP321W"]],
  ["an unknown item type is any", "param l array\nvar a = [for x in l: x.y.z]", []],
  ["keys of an object are distinct", "var a = { b: 1\n'b': 2 }", ["1:11 BCP025", "2:1 BCP025"]],
  ["only arrays are spread into arrays", "var a = [...{ b: 1 }]\nvar b = { ...[1] }", ["1:10 BCP402", "2:11 BCP402"]],
  [
    "an interpolated text of literals is a literal",
    "var a = 'x${1}${true}'\nparam p 'x1True' = 'x1True'\noutput o 'x1True' = a",
    [],
  ],
  [
    "properties are looked up",
    "var o = { abc: 1 }\nvar a = o.abc\nvar b = o.abd\nvar c = o.x\nvar d = {}.x",
    ["3:11 BCP083", "4:11 BCP053", "5:12 BCP052"],
  ],
  ["a literal index is a property", "var o = { abc: 1 }\nvar a = o['abc']\nvar b = o['xyz']", ["3:11 BCP053"]],
  ["text and numbers have no properties", "var a = 'x'.y\nvar b = [1].y", ["1:13 BCP055", "2:13 BCP055"]],
  ["text and numbers have no items", "var a = 'x'[0]\nvar b = (1)['x']", ["1:9 BCP076", "2:9 BCP076"]],
  [
    "indexes fit what they index",
    "var a = [1]['x']\nvar b = { c: 1 }[0]\nvar d = any(1)[true]",
    ["1:13 BCP074", "2:18 BCP075", "3:16 BCP049"],
  ],
  [
    "places outside of a tuple are reported",
    "var a = ['x', 'y'][2]\nvar b = ['x', 'y'][^2]\nvar c = ['x'][^2]",
    ["1:20 BCP311", "3:16 BCP311"],
  ],
  ["a negative index of an array is reported", `${values}var a = list[-1]`, ["6:14 BCP339"]],
  [
    "counting from the end needs an array and a number",
    `${values}var a = { b: 1 }[^1]\nvar c = list[^'x']`,
    ["6:18 BCP414", "7:14 BCP415"],
  ],
  ["access to what may be null is a warning", `${values}var a = o.a\nvar b = o['a']`, ["6:10 BCP318W", "7:10 BCP318W"]],
  ["a safe access is none", `${values}var a = o.?a\nvar b = o!.a\nvar c = o[?'a']`, []],
  [
    "a safe access covers the rest of the chain",
    `${values}param d { e: { f: { g: string } }? }?\nvar a = d.?e.f.g\nvar b = (d.?e).f`,
    ["8:15 BCP318W"],
  ],
  ["with safe access an unknown property is a warning", "var o = { abc: 1 }\nvar a = o.?nope", ["2:12 BCP053W"]],
  ["the result of a safe access may be null", `${values}output x string = o.?a`, ["6:19 BCP321W"]],
  [
    "the first of an array may be missing",
    `${values}output x string = first(list)\noutput y string = first(['a'])`,
    ["6:19 BCP321W"],
  ],
  ["methods belong to objects", "var a = (1).b()\nvar c = { d: 1 }.e()", ["1:13 BCP067", "2:18 BCP109"]],
];

for (const [rule, source, found, options] of rows) {
  it(rule, () => {
    assert.deepEqual(checkSource(source, options), found);
  });
}
