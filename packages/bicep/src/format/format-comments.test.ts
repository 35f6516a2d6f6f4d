import assert from "node:assert/strict";
import { it } from "node:test";
import { formatTwice } from "./testing/format-twice.ts";
import type { FormatCase } from "./testing/format-twice.ts";

const cases: readonly FormatCase[] = [
  ["leaves one blank before a comment behind code", "var x = 1   // c", "var x = 1 // c"],
  ["opens the list around a line comment", "var x = [1 // c\n]", "var x = [\n  1 // c\n]"],
  ["keeps a block comment behind an item", "var x = [1, 2/* c */]", "var x = [1, 2 /* c */]"],
  ["keeps a block comment before an item", "var x = [1, /* c */2]", "var x = [1, /* c */ 2]"],
  ["moves a comment behind a brace inside", "var x = { // c\nk: 1 }", "var x = {\n  // c\n  k: 1\n}"],
  ["opens brackets that hold only a comment", "var x = { /* c */ }", "var x = {\n  /* c */\n}"],
  ["puts a comment before a closing bracket on its line", "var x = [1\n/* c */]", "var x = [\n  1\n  /* c */\n]"],
  ["keeps blank lines between comments", "var x = {\nk: 1\n// c\n\n// d\n}", "var x = {\n  k: 1\n  // c\n\n  // d\n}"],
  ["moves a comment behind a comma to its own line", "var x = f(1, // c\n2)", "var x = f(\n  1,\n  // c\n  2\n)"],
  ["keeps a comment behind the last argument", "var x = f(1, 2 // c\n)", "var x = f(\n  1,\n  2 // c\n)"],
  ["does not let a comment swallow a parenthesis", "var x = f(// c\n)", "var x = f(\n  // c\n)"],
  [
    "does not let a comment at the end of a ternary swallow a bracket",
    "var x = [y ? 1 : 2 // c\n]",
    "var x = [\n  y ? 1 : 2 // c\n]",
  ],
  ["keeps a comment behind a ternary from breaking it", "var x = y ? 1 : 2 // c", "var x = y ? 1 : 2 // c"],
  ["keeps comments in a ternary", "var x = y // c\n? 1\n// d\n: 2", "var x = y // c\n  ? 1\n  // d\n  : 2"],
  ["keeps a comment before the colon of a ternary", "var x = y\n? 1\n/* c */ : 2", "var x = y ? 1 /* c */ : 2"],
  ["keeps a comment before a spread", "var x = [/* c */ ...y]", "var x = [/* c */ ...y]"],
  ["keeps a comment before a star", "type t = { /* c */ *: int }", "type t = { /* c */ *: int }"],
  ["keeps a comment before a caret", "var x = y[/* c */ ^1]", "var x = y[/* c */ ^1]"],
  ["parts a comment behind an operator from what follows", "var x = !/* c */y", "var x = ! /* c */ y"],
  ["keeps comments in a union", "type t = 'a' // c\n| 'b'", "type t =\n  | 'a' // c\n  | 'b'"],
  ["keeps a comment before a union on its line", "type t = // c\n| 'a'\n| 'b'", "type t = // c\n  | 'a'\n  | 'b'"],
  ["keeps a comment behind a star", "type t = [a.* /* c */, int]", "type t = [a.* /* c */, int]"],
  ["keeps a comment behind an arrow", "var x = map(y, i => // c\ni)", "var x = map(\n  y,\n  i =>\n    // c\n    i\n)"],
  [
    "keeps a comment between a resource and its if",
    "resource r 'a@1' = // c\nif (y) { name: 'n' }",
    "resource r 'a@1' =\n  // c\n  if (y) { name: 'n' }",
  ],
  [
    "keeps comments among decorators and drops blank lines there",
    "@a() // c\n\n// d\n\n@b()\n\nparam p string",
    "@a() // c\n// d\n@b()\nparam p string",
  ],
  [
    "keeps the comma of a parameter away from a comment",
    "var x = map(y, (a // c\n, b) => a)",
    "var x = map(\n  y,\n  (\n    a // c\n    , b\n  ) => a\n)",
  ],
  [
    "prints pragmas with single blanks",
    "#disable-next-line   BCP001    no-unused-vars\nvar x=1",
    "#disable-next-line BCP001 no-unused-vars\nvar x = 1",
  ],
  [
    "keeps a pragma at the start of its line",
    "var x = f(\n#disable-next-line BCP001 'a'\n)",
    "var x = f(\n  #disable-next-line BCP001 'a'\n)",
  ],
  [
    "keeps a pragma before the comma of a parameter at the start of its line",
    "func f(a int\n#disable-next-line BCP001 , b int) int => a",
    "func f(\n  a int,\n  #disable-next-line BCP001\n  b int\n) int => a",
  ],
  [
    "keeps a pragma between a resource and its if",
    "resource r 'a@1' =\n#disable-next-line BCP001\nif (y) {}",
    "resource r 'a@1' =\n  #disable-next-line BCP001\n  if (y) {}",
  ],
  [
    "keeps a pragma before a bar at the start of its line, behind a comment or not",
    "type t = (/* c */\n#disable-next-line BCP001 | 'a')[]",
    "type t = ( /* c */\n  #disable-next-line BCP001 | 'a')[]",
  ],
  [
    "breaks after an arrow that a comment follows",
    "var x = map(y, i => /* c */ {\nk: 1 })",
    "var x = map(y, i =>\n  /* c */ {\n    k: 1\n  })",
  ],
  [
    "leaves the call on its line when a comment stands before the literal of its last lambda",
    "var x = toObject(y, i => i, i => // c\n{\nk: 1\n})",
    "var x = toObject(y, i => i, i =>\n  // c\n  {\n    k: 1\n  })",
  ],
  [
    "leaves the call on its line when the literal of its last lambda begins with comments on lines of their own",
    "var x = a.map(y, (i, n) =>\n\n// c\n/* d */\n[\ni\n])",
    "var x = a.map(y, (i, n) =>\n  // c\n  /* d */\n  [\n    i\n  ])",
  ],
  [
    "breaks all arguments when a comment stands before a last lambda's body that is no literal",
    "var x = map(y, i =>\n// c\ni)",
    "var x = map(\n  y,\n  i =>\n    // c\n    i\n)",
  ],
  [
    "breaks all arguments when a comment stands before the literal of a lambda that is not the last",
    "var x = toObject(y, i =>\n// c\n{\nk: 1\n}, i => i)",
    "var x = toObject(\n  y,\n  i =>\n    // c\n    {\n      k: 1\n    },\n  i => i\n)",
  ],
  [
    "breaks all arguments when the parameters of a lambda are broken",
    "var x = map(y, (a // c\n) => {\nk: 1 })",
    "var x = map(\n  y,\n  (\n    a // c\n  ) => {\n    k: 1\n  }\n)",
  ],
  ["does not indent the lines of a block comment", "var x = [\n/* c\nd */\n1\n]", "var x = [\n  /* c\nd */\n  1\n]"],
  ["joins comments on one line with one blank", "/* c */   // d\nvar x = 1", "/* c */ // d\nvar x = 1"],
  ["keeps a comment at the end of the file", "var x = 1\n\n  // c", "var x = 1\n\n// c"],
];

for (const [what, source, expected] of cases) {
  it(what, () => {
    assert.deepEqual(formatTwice(source), { once: expected, twice: expected });
  });
}
