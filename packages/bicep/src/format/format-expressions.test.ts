import assert from "node:assert/strict";
import { it } from "node:test";
import { formatBicep } from "./format.ts";
import { formatTwice } from "./testing/format-twice.ts";
import type { FormatCase } from "./testing/format-twice.ts";

const cases: readonly FormatCase[] = [
  ["joins arguments that fit", "var x = f(\n1,\n2\n)", "var x = f(1, 2)"],
  ["hugs a single argument", "var x = f({\nk: 1})", "var x = f({\n  k: 1\n})"],
  ["hugs through several calls", "var x = f(g([\n1]))", "var x = f(g([\n  1\n]))"],
  ["leaves an open last argument on the line", "var x = f(y, {\nk: 1})", "var x = f(y, {\n  k: 1\n})"],
  ["leaves an open last lambda on the line", "var x = map(y,(i,n)=>[\ni])", "var x = map(y, (i, n) => [\n  i\n])"],
  [
    "breaks all arguments when an earlier one is open",
    "var x = f({\nk: 1}, y)",
    "var x = f(\n  {\n    k: 1\n  },\n  y\n)",
  ],
  [
    "breaks around a call that holds an open argument",
    "var x = f(1, g(2, {\nk: 1}))",
    "var x = f(\n  1,\n  g(2, {\n    k: 1\n  })\n)",
  ],
  ["joins a lambda's body to its arrow", "var x = map(y, i =>\ni.z)", "var x = map(y, i => i.z)"],
  ["joins a ternary that fits", "var x = y\n? 1\n: 2", "var x = y ? 1 : 2"],
  [
    "indents an open branch of a ternary twice",
    "var x = y ? {\nk: 1 } : 2",
    "var x = y\n  ? {\n      k: 1\n    }\n  : 2",
  ],
  ["glues members, indexes and assertions", "var x = y . a :: b [ 0 ] . ? c [ ? ^ 1 ] !", "var x = y.a::b[0].?c[?^1]!"],
  ["glues unary operators and parentheses", "var x = ! ( - y )", "var x = !(-y)"],
  ["puts one blank around operators", "var x = a+b  *c??d", "var x = a + b * c ?? d"],
  ["drops blanks after the brace that opens a hole, and only those", "var x = 'a${  y }b'", "var x = 'a${y }b'"],
  ["copies holes as they are", "var x = '${f( 1,2 )}'", "var x = '${f( 1,2 )}'"],
  ["leaves multi-line strings alone", "var x = [\n'''a\n b\n   c''']", "var x = [\n  '''a\n b\n   c'''\n]"],
  [
    "pulls an if up to its resource",
    "resource r 'a@1' =\nif(y){\nname: 'n'}",
    "resource r 'a@1' = if (y) {\n  name: 'n'\n}",
  ],
  ["drops the first bar of a union on one line", "type t = |'a'|'b'", "type t = 'a' | 'b'"],
  ["joins a union that fits", "type t =\n| 'a'\n| 'b'", "type t = 'a' | 'b'"],
  ["glues type suffixes", "type t = a . b [ 0 ] [ * ] . * ? [ ] !", "type t = a.b[0][*].*?[]!"],
  ["keeps two question marks apart", "type t = string ? ?", "type t = string? ?"],
  ["puts a blank before the string of a resource type", "output o resource'a@1' = x", "output o resource 'a@1' = x"],
  [
    "joins the parameters of a function",
    "func f(\na string,\nb int\n) string =>\na",
    "func f(a string, b int) string => a",
  ],
];

for (const [what, source, expected] of cases) {
  it(what, () => {
    assert.deepEqual(formatTwice(source), { once: expected, twice: expected });
  });
}

const narrowCases: readonly FormatCase[] = [
  ["puts each argument on its line", "var x = foo(111, 222, 333)", "var x = foo(\n  111,\n  222,\n  333\n)"],
  ["does not break around one long string", "var x = foo('aaaaaaaaaaaaaaaaaaa')", "var x = foo('aaaaaaaaaaaaaaaaaaa')"],
  [
    "breaks all arguments when those before an open one do not fit",
    "var x = f(yyyyyy, zzzzzzzz, {\nk: 1})",
    "var x = f(\n  yyyyyy,\n  zzzzzzzz,\n  {\n    k: 1\n  }\n)",
  ],
  ["breaks after a lambda's arrow", "var x = map(y, i => i.zzzzzzzzzz)", "var x = map(\n  y,\n  i => i.zzzzzzzzzz\n)"],
  [
    "breaks all arguments when those before a lambda with a comment do not fit",
    "var x = f(yyyyyyy, i => // c\n{\nk: 1})",
    "var x = f(\n  yyyyyyy,\n  i =>\n    // c\n    {\n      k: 1\n    }\n)",
  ],
  [
    "leaves a lambda with a comment on a line that is just long enough",
    "var x = f(yyy, i => // c\n{\nk: 1})",
    "var x = f(yyy, i =>\n  // c\n  {\n    k: 1\n  })",
  ],
  [
    "keeps a word that starts declarations behind the arrow",
    "var x = map(y, i => param.zzzzzzzzz)",
    "var x = map(\n  y,\n  i => param.zzzzzzzzz\n)",
  ],
  [
    "indents a lambda's body once more",
    "var x = map(y, i => i.zzzzzzzzzzzzz)",
    "var x = map(\n  y,\n  i =>\n    i.zzzzzzzzzzzzz\n)",
  ],
  ["breaks a ternary at both signs", "var x = yyyyyy ? 111111 : 222222", "var x = yyyyyy\n  ? 111111\n  : 222222"],
  [
    "indents a ternary in a ternary",
    "var x = yyy ? 111 : zzzz ? 2222 : 3333",
    "var x = yyy\n  ? 111\n  : zzzz\n      ? 2222\n      : 3333",
  ],
  ["never breaks at an operator", "var x = yyyyyyyyyyy && zzzzzzzzz", "var x = yyyyyyyyyyy && zzzzzzzzz"],
  ["puts each member of a union on its line", "type t = 'aaaaaaa'|'bbbbbbb'", "type t =\n  | 'aaaaaaa'\n  | 'bbbbbbb'"],
  ["starts a variable's union on its line", "var x 'aaaaaa'|'bbbbbb' = 1", "var x 'aaaaaa'\n  | 'bbbbbb' = 1"],
  [
    "does not let a union in a tuple join the item before it",
    "type t = ['aaa', 'bbbbbbb'|'ccccccccc']",
    "type t = [\n  'aaa'\n  'bbbbbbb'\n    | 'ccccccccc'\n]",
  ],
  ["breaks a function at its arrow", "func f(y string) string => yy", "func f(y string) string =>\n  yy"],
  [
    "breaks a function at its parameters",
    "func f(yyyy string, zz int) int => 1",
    "func f(\n  yyyy string,\n  zz int\n) int => 1",
  ],
];

for (const [what, source, expected] of narrowCases) {
  it(what, () => {
    assert.deepEqual(formatTwice(source, { width: 20 }), { once: expected, twice: expected });
  });
}

it("needs two runs for a call whose closed last literal does not fit", () => {
  const once = formatBicep("var x = f(1, {k: 2, l: 333333})", { width: 20 });
  const twice = formatBicep(once, { width: 20 });

  assert.equal(once, "var x = f(\n  1,\n  {\n    k: 2\n    l: 333333\n  }\n)\n");
  assert.equal(twice, "var x = f(1, {\n  k: 2\n  l: 333333\n})\n");
  assert.equal(formatBicep(twice, { width: 20 }), twice);
});
