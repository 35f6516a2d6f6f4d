import assert from "node:assert/strict";
import { it } from "node:test";
import { formatTwice } from "./testing/format-twice.ts";
import type { FormatCase } from "./testing/format-twice.ts";

const cases: readonly FormatCase[] = [
  ["puts a literal without line breaks on one line", "var x={k:1,l : [1,2]}", "var x = { k: 1, l: [1, 2] }"],
  ["joins items that a later line break separates", "var x = {k: 1\nl: 2}", "var x = { k: 1, l: 2 }"],
  ["opens an object that breaks after its brace", "var x = {\nk: 1, l: 2}", "var x = {\n  k: 1\n  l: 2\n}"],
  ["opens an array that breaks after its bracket", "var x = [\n1, 2]", "var x = [\n  1\n  2\n]"],
  ["drops a trailing comma", "var x = [1, 2,]", "var x = [1, 2]"],
  ["closes brackets that hold nothing but lines", "var x = [{\n\n}, [\n]]", "var x = [{}, []]"],
  [
    "opens every literal around one that is open",
    "var x = { k: [{\nl: 1 }] }",
    "var x = {\n  k: [\n    {\n      l: 1\n    }\n  ]\n}",
  ],
  ["does not count a spread as a reason to stay open", "var x = {\n...y}", "var x = { ...y }"],
  ["does not count a spread in an array either", "var x = [\n...y\n]", "var x = [...y]"],
  [
    "does not count a nested resource",
    "resource r 'a@1' = {\nresource c 'b' = {}\n}",
    "resource r 'a@1' = { resource c 'b' = {} }",
  ],
  [
    "opens an object type that breaks after its brace",
    "type t = {\nk: int\n*: bool}",
    "type t = {\n  k: int\n  *: bool\n}",
  ],
  ["joins the members of other object types", "type t = {k: int\nl: bool}", "type t = { k: int, l: bool }"],
  ["joins a tuple however it was written", "type t = [\nint\nbool\n]", "type t = [int, bool]"],
  [
    "opens a tuple with a decorated item",
    "type t = [@secure()\nstring, int]",
    "type t = [\n  @secure()\n  string\n  int\n]",
  ],
  [
    "opens an object type with a decorated member",
    "type t = { @secure()\nk: string, l: int }",
    "type t = {\n  @secure()\n  k: string\n  l: int\n}",
  ],
  ["keeps an open import list open", "import {\na\nb as c} from 'm'", "import {\n  a\n  b as c\n} from 'm'"],
  ["keeps a closed import list closed", "import {a,b as c} from 'm'", "import { a, b as c } from 'm'"],
  ["keeps a loop on its line", "var x = [\nfor i in y : i\n]", "var x = [for i in y: i]"],
  [
    "opens a loop whose body is open",
    "var x = [for (i,n) in y: {\nk: i }]",
    "var x = [\n  for (i, n) in y: {\n    k: i\n  }\n]",
  ],
  ["opens type arguments that break after the bracket", "type t = g<\n'a'>.b", "type t = g<\n  'a'\n>.b"],
  ["keeps at most one blank line between items", "var x = [\n\n1\n\n\n2\n\n]", "var x = [\n  1\n\n  2\n]"],
  [
    "drops blank lines before a comma",
    "func f(a int\n\n,\n\nb int) int => a",
    "func f(\n  a int,\n\n  b int\n) int => a",
  ],
  ["opens a list with a blank line", "var x = [1\n\n2]", "var x = [\n  1\n\n  2\n]"],
  [
    "prints nested resources and their decorators on lines of their own",
    "resource r 'a@1' = {\nname: 'r'\n\n@batchSize( 1 )\nresource  c 'b'={\nname:'c'}\n}",
    "resource r 'a@1' = {\n  name: 'r'\n\n  @batchSize(1)\n  resource c 'b' = {\n    name: 'c'\n  }\n}",
  ],
];

for (const [what, source, expected] of cases) {
  it(what, () => {
    assert.deepEqual(formatTwice(source), { once: expected, twice: expected });
  });
}

const narrowCases: readonly FormatCase[] = [
  ["opens an array that is too wide", "var x = [1111, 2222, 3333]", "var x = [\n  1111\n  2222\n  3333\n]"],
  ["opens an object that is too wide", "var x = { k: 11, l: 22 }", "var x = {\n  k: 11\n  l: 22\n}"],
  ["opens a tuple that is too wide", "type t = [string, object]", "type t = [\n  string\n  object\n]"],
  ["opens a loop that is too wide", "var x = [for i in yyyyyyy: zzz]", "var x = [\n  for i in yyyyyyy: zzz\n]"],
  ["never opens type arguments for their width", "type t = g<'aaaaaa', 'bbbbb'>", "type t = g<'aaaaaa', 'bbbbb'>"],
  ["keeps loop variables on one line", "var x = [for (i, nnnnnn) in y: z]", "var x = [\n  for (i, nnnnnn) in y: z\n]"],
];

for (const [what, source, expected] of narrowCases) {
  it(what, () => {
    assert.deepEqual(formatTwice(source, { width: 20 }), { once: expected, twice: expected });
  });
}
