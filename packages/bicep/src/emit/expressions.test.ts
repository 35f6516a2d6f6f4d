import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compile, emit } from "./testing/compile.ts";

/** Expressions as values of variables, with the value that the template has for them. */
const table: readonly (readonly [source: string, expected: unknown])[] = [
  // literals stay JSON
  ["true", true],
  ["null", null],
  ["42", 42],
  ["-42", -42],
  ["2199023255552", 2199023255552],
  ["'plain'", "plain"],
  ["'[both brackets]'", "[[both brackets]"],
  ["'[only one'", "[only one"],
  ["'{not a format}'", "{not a format}"],
  ["('in parentheses')", "in parentheses"],
  ["any('erased')", "erased"],
  ["sys.any([any(1)])", [1]],
  ["p!", "[parameters('p')]"],

  // strings
  ["'a${p}b'", "[format('a{0}b', parameters('p'))]"],
  ["'${p}'", "[format('{0}', parameters('p'))]"],
  ["'{${p}}'", "[format('{{{0}}}', parameters('p'))]"],
  ["'it\\'s ${p}'", "[format('it''s {0}', parameters('p'))]"],
  ["concat('\\'', p)", "[concat('''', parameters('p'))]"],

  // operators
  ["!true", "[not(true())]"],
  ["-n", "[sub(0, parameters('n'))]"],
  ["n + 1", "[add(parameters('n'), 1)]"],
  ["n - 1", "[sub(parameters('n'), 1)]"],
  ["n * 1", "[mul(parameters('n'), 1)]"],
  ["n / 2", "[div(parameters('n'), 2)]"],
  ["n % -2", "[mod(parameters('n'), -2)]"],
  ["n < 1", "[less(parameters('n'), 1)]"],
  ["n <= 1", "[lessOrEquals(parameters('n'), 1)]"],
  ["n > 1", "[greater(parameters('n'), 1)]"],
  ["n >= 1", "[greaterOrEquals(parameters('n'), 1)]"],
  ["n == 1", "[equals(parameters('n'), 1)]"],
  ["n != 1", "[not(equals(parameters('n'), 1))]"],
  ["p =~ 'A'", "[equals(toLower(parameters('p')), toLower('A'))]"],
  ["p !~ 'A'", "[not(equals(toLower(parameters('p')), toLower('A')))]"],
  [
    "n == 1 && n == 2 || n == 3",
    "[or(and(equals(parameters('n'), 1), equals(parameters('n'), 2)), equals(parameters('n'), 3))]",
  ],
  ["o.?a ?? 'b'", "[coalesce(tryGet(parameters('o'), 'a'), 'b')]"],
  ["n == 1 ? null : false", "[if(equals(parameters('n'), 1), null(), false())]"],
  ["n + 2199023255552", "[add(parameters('n'), json('2199023255552'))]"],

  // objects and arrays
  ["{}", {}],
  ["[]", []],
  ["[1, p, [true]]", [1, "[parameters('p')]", [true]]],
  ["{ a: 1, 'b-c': p }", { a: 1, "b-c": "[parameters('p')]" }],
  ["{ '${p}x': 1 }", { "[format('{0}x', parameters('p'))]": 1 }],
  ["{ '[a]': 1 }", { "[[a]": 1 }],
  ["{ copy: 1 }", { "[string('copy')]": 1 }],
  ["{ copy: { '[b]': 1 } }", { "[string('copy')]": { "[[b]": 1 } }],
  ["length([1, p])", "[length(createArray(1, parameters('p')))]"],
  [
    "length({ copy: 1, '${p}': [] })",
    "[length(createObject('copy', 1, format('{0}', parameters('p')), createArray()))]",
  ],
  ["[...a, 1, 2, ...a]", "[flatten(createArray(parameters('a'), createArray(1, 2), parameters('a')))]"],
  ["[1, ...a]", "[flatten(createArray(createArray(1), parameters('a')))]"],
  ["{ x: 1, ...o, y: 2 }", "[shallowMerge(createArray(createObject('x', 1), parameters('o'), createObject('y', 2)))]"],
  ["{ ...o }", "[shallowMerge(createArray(parameters('o')))]"],

  // access
  ["o.a.b", "[parameters('o').a.b]"],
  ["o['a']", "[parameters('o').a]"],
  ["o['a-b']", "[parameters('o')['a-b']]"],
  ["o[p]", "[parameters('o')[parameters('p')]]"],
  ["a[0]", "[parameters('a')[0]]"],
  ["a[^1]", "[indexFromEnd(parameters('a'), 1)]"],
  ["o.?a", "[tryGet(parameters('o'), 'a')]"],
  ["o[?'a']", "[tryGet(parameters('o'), 'a')]"],
  ["a[?0]", "[tryGet(parameters('a'), 0)]"],
  ["a[?^1]", "[tryIndexFromEnd(parameters('a'), 1)]"],
  ["a[?^1].b", "[tryIndexFromEnd(parameters('a'), 1, 'b')]"],
  ["o.?a.b[0]", "[tryGet(parameters('o'), 'a', 'b', 0)]"],
  ["o.?a.b[^2]", "[tryGet(parameters('o'), 'a', 'b', createObject('value', 2, 'fromEnd', true()))]"],
  ["(o.?a).b", "[tryGet(parameters('o'), 'a').b]"],
  ["o.?a!.b", "[tryGet(parameters('o'), 'a').b]"],
  ["o.?a.?b", "[tryGet(tryGet(parameters('o'), 'a'), 'b')]"],
  ["any('text').length", "[string('text').length]"],
  ["any(5).x", "[int(5).x]"],
  ["{ a: 1 }.a", "[createObject('a', 1).a]"],

  // functions
  ["sys.toLower(p)", "[toLower(parameters('p'))]"],
  ["az.resourceGroup().location", "[resourceGroup().location]"],
  ["map(a, x => '${x}!')", "[map(parameters('a'), lambda('x', format('{0}!', lambdaVariables('x'))))]"],
  ["reduce(a, 0, (x, y) => x)", "[reduce(parameters('a'), 0, lambda('x', 'y', lambdaVariables('x')))]"],
  ["resourceGroup('other')", {}],
  ["[subscription('other')]", [{}]],
  ["empty(managementGroup('other'))", "[empty(createObject())]"],
  ["nameof(o.a.b)", "b"],
  ["toUpper(nameof(p))", "[toUpper('p')]"],
];

const prologue = "param p string\nparam n int\nparam o object\nparam a array\n";

describe("expressions", () => {
  for (const [source, expected] of table) {
    it(`emits ${source}`, () => {
      assert.deepEqual(compile(`${prologue}var x = ${source}\n`).variables.x, expected);
    });
  }

  it("keeps every digit of wide integers", () => {
    const { text } = emit("var x = 9223372036854775807\nvar y = -9223372036854775808\n");
    assert.match(text, /"x": 9223372036854775807,/);
    assert.match(text, /"y": -9223372036854775808\n/);
  });

  it("prints two blanks a level, raw letters and no newline at the end", () => {
    const { text } = emit("var x = { ä: [1] }\n".replace("ä", "'ä'"));
    assert.ok(text.includes('  "variables": {\n    "x": {\n      "ä": [\n        1\n      ]\n    }\n  }'));
    assert.ok(text.endsWith("}"));
  });

  it("escapes the line breaks that JSON need not escape, and only those", () => {
    const { text } = emit("var x = 'a\\u{2028}b\\u{85}c\\u{1F600}d'\n");
    assert.ok(text.includes(String.raw`"x": "a\u2028b\u0085c😀d"`));
  });
});
