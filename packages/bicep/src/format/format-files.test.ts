import assert from "node:assert/strict";
import { it } from "node:test";
import { parseParams } from "../syntax/index.ts";
import { formatBicep } from "./format.ts";
import { formatTwice } from "./testing/format-twice.ts";
import type { FormatCase } from "./testing/format-twice.ts";

const cases: readonly FormatCase[] = [
  ["drops blank lines at both ends", "\n\nvar x = 1\n\n", "var x = 1"],
  [
    "keeps at most one blank line between statements",
    "var x = 1\n\n\n\nvar y = 2\nvar z = 3",
    "var x = 1\n\nvar y = 2\nvar z = 3",
  ],
  ["lays out every kind of statement", statements().before, statements().after],
  ["leaves a statement with an error as it is", "var  x  =  \nvar  y=1", "var  x  =\nvar y = 1"],
  ["leaves a statement with a malformed string as it is", "var x = 'a\nvar  y=1", "var x = 'a\nvar y = 1"],
  ["leaves unknown words as they are", "foo   bar\n\n\nvar  y=1", "foo   bar\n\nvar y = 1"],
  ["parts a statement from the surplus text that touches it", "var x='a'foo", "var x = 'a'\nfoo"],
  ["prints the comment after a missing value once", "var  x =  // c", "var  x =\n// c"],
  ["puts surplus text on its own line", "var x=1   foo", "var x = 1\nfoo"],
  [
    "keeps the comments around a statement with an error",
    "/* c */ var  x = 1 + /* d */ // e\nvar y=1",
    "/* c */ var  x = 1 +\n/* d */ // e\nvar y = 1",
  ],
  [
    "leaves a statement as it is for an error in a nested resource",
    "resource r 'a@1' = {\nname:  'n'\n resource  c  'b'  =\n}",
    "resource r 'a@1' = {\nname:  'n'\n resource  c  'b'  =\n}",
  ],
  ["formats decorators that nothing follows", "@a( )\n\nfoo   bar", "@a()\n\nfoo   bar"],
  ["leaves broken decorators that nothing follows as they are", "@a(\n  1", "@a(\n  1"],
  ["keeps the decorators of statements that take none", "@a()\ntargetScope = 'tenant'", "@a()\ntargetScope = 'tenant'"],
  [
    "keeps decorators in a body that nothing follows",
    "resource r 'a@1' = {@a()\n\n}",
    "resource r 'a@1' = {\n  @a()\n}",
  ],
];

for (const [what, source, expected] of cases) {
  it(what, () => {
    assert.deepEqual(formatTwice(source), { once: expected, twice: expected });
  });
}

const parametersCases: readonly FormatCase[] = [
  [
    "lays out parameters",
    "using  'main.bicep'\n\n\nparam  a='x'\nparam b={\nc:1}",
    "using 'main.bicep'\n\nparam a = 'x'\nparam b = {\n  c: 1\n}",
  ],
  ["lays out files that use nothing", "using none\nvar x=1", "using none\nvar x = 1"],
  ["lays out with-clauses", "using 'm' with {a:1}", "using 'm' with { a: 1 }"],
  [
    "lays out the rest",
    "extends  'b.bicepparam'\nextensionConfig  k  with{a:1}",
    "extends 'b.bicepparam'\nextensionConfig k with { a: 1 }",
  ],
  ["keeps decorators", "@a( )\nparam x = 1", "@a()\nparam x = 1"],
];

for (const [what, source, expected] of parametersCases) {
  it(what, () => {
    assert.deepEqual(formatTwice(source, {}, parseParams), { once: expected, twice: expected });
  });
}

it("needs two runs for lines that hold only blanks", () => {
  const once = formatBicep("var x = 1\n  \n  \nvar y = 2");
  const twice = formatBicep(once);

  assert.equal(once, "var x = 1\n\n\nvar y = 2\n");
  assert.equal(twice, "var x = 1\n\nvar y = 2\n");
});

it("ends a file with exactly one newline, also an empty one", () => {
  assert.equal(formatBicep(""), "\n");
  assert.equal(formatBicep("var x = 1\n\n"), "var x = 1\n");
  assert.equal(formatBicep("/* never\n\n"), "/* never\n");
});

it("ends a file without a newline on request", () => {
  assert.equal(formatBicep("\n", { insertFinalNewline: false }), "");
  assert.equal(formatBicep("var x = 1\n", { insertFinalNewline: false }), "var x = 1");
});

it("indents as told", () => {
  assert.equal(formatBicep("var x = [\n1]", { indentSize: 4 }), "var x = [\n    1\n]\n");
  assert.equal(formatBicep("var x = [\n1]", { indentSize: -3 }), "var x = [\n1\n]\n");
  assert.equal(formatBicep("var x = [\n1]", { indentKind: "Tab", indentSize: 4 }), "var x = [\n\t1\n]\n");
});

it("counts a tab as one column", () => {
  const source = "var x = {\nk: [1, 2]\n}";

  assert.equal(formatBicep(source, { indentKind: "Tab", width: 10 }), "var x = {\n\tk: [1, 2]\n}\n");
  assert.equal(formatBicep(source, { indentKind: "Tab", width: 9 }), "var x = {\n\tk: [\n\t\t1\n\t\t2\n\t]\n}\n");
});

it("writes line breaks of the chosen kind, also in strings and comments", () => {
  const source = "/* a\nb */\r\nvar x = '''c\rd'''\nvar  y =\n";

  assert.equal(formatBicep(source), "/* a\nb */\nvar x = '''c\nd'''\nvar  y =\n");
  assert.equal(formatBicep(source, { newlineKind: "CRLF" }), "/* a\r\nb */\r\nvar x = '''c\r\nd'''\r\nvar  y =\r\n");
  assert.equal(formatBicep(source, { newlineKind: "CR" }), "/* a\rb */\rvar x = '''c\rd'''\rvar  y =\r");
});

it("survives brackets nested too deeply for the parser", () => {
  const source = `var x = ${"[".repeat(10_000)}${"]".repeat(10_000)}\n`;

  assert.equal(formatBicep(source, { width: 10 }), source);
});

it("leaves statements as they are after more errors than the parser reports", () => {
  const source = `${"var  x = (\n".repeat(20_000)}var  y=1\n`;

  assert.equal(formatBicep(source), `${source.slice(0, -"var  y=1\n".length)}var y = 1\n`);
});

it("formats around parameters of a lambda that are no names", () => {
  assert.equal(formatBicep("var x = map(y,(1 , 'a')=>2)\nfoo"), "var x = map(y, (1, 'a') => 2)\nfoo\n");
});

function statements(): { readonly before: string; readonly after: string } {
  const lines = [
    ["targetScope='tenant'", "targetScope = 'tenant'"],
    ["metadata  m='v'", "metadata m = 'v'"],
    ["param  p   string", "param p string"],
    ["param q int=1", "param q int = 1"],
    ["var x=1", "var x = 1"],
    ["var  y   int=1", "var y int = 1"],
    ["output o string=x", "output o string = x"],
    ["type t=string[ ]", "type t = string[]"],
    ["func f ( a  string )string=>a", "func f(a string) string => a"],
    ["resource r 'a@1'existing={name:'n'}", "resource r 'a@1' existing = { name: 'n' }"],
    ["module m 'm.bicep'=[for i in x:if(i){name:i}]", "module m 'm.bicep' = [for i in x: if (i) { name: i }]"],
    ["import  *as n   from 'm'", "import * as n from 'm'"],
    ["extension  e  as  a", "extension e as a"],
    ["extension 'br:e'with{k:1}as a", "extension 'br:e' with { k: 1 } as a"],
    ["assert a=1>2", "assert a = 1 > 2"],
    ["test t 'm.bicep'={params:{}}", "test t 'm.bicep' = { params: {} }"],
  ] as const;
  return { before: lines.map(([before]) => before).join("\n"), after: lines.map(([, after]) => after).join("\n") };
}
