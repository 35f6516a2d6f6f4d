import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import type { Node } from "./nodes.ts";
import { parseBicep, parseParams, parseTokens } from "./parse.ts";
import { scan } from "./scanner.ts";
import type { SyntaxFile } from "./syntax-file.ts";
import { isToken } from "./tokens.ts";
import type { Token } from "./tokens.ts";
import { depthOf, forEachPart, walk } from "./walk.ts";

const sample = `#disable-next-line no-unused-params
@description('what it is')
@allowed([
  'a'
  'b'
])
param a string = 'a' // why

/* two
   lines */
type t = {
  @minLength(1)
  b: string?
  'c-d': [int, bool[]] | null
  *: resourceInput<'N/t@v'>.x
}
func f(x string, y int) string => y > 0 ? '\${x}-\${toUpper('\\u{41}\${x}')}' : x
import { k as l } from 'k.bicep'
extension kubernetes with { n: 'x' } as k8s
var v = [
  for (i, n) in range(0, 3): {
    p: map(n, z => z.?q[^1]!::r ?? -1)
    ...v
  }
]
resource r 'N/t@v' = if (a == 'a') {
  name: '''
multi 'line'
'''
  resource s 'u' existing = {}
}
module m './m.bicep' = [for x in y: { params: { a: (x) } }]
output o string = r::s.id
`;

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc
    .array(fc.constantFrom(...sample.split(/(?<=\W)|(?=\W)/), "$'''", "'''", "${", "\r\n", "\0", "\ud800", "\\"), {
      maxLength: 60,
    })
    .map((parts) => parts.join("")),
);

const anyEdit = fc
  .tuple(fc.nat(sample.length), fc.nat(20), anyText)
  .map(([at, removed, inserted]) => sample.slice(0, at) + inserted + sample.slice(at + removed));

it("parses any text into a tree that holds every token once and in order", () => {
  fc.assert(
    fc.property(fc.oneof(anyText, anyEdit), (text) => {
      for (const file of [parseBicep(text), parseParams(text)]) {
        assertLossless(file);
        assertTokensInTree(file);
        assertNestedSpans(file);
      }
    }),
    { numRuns: 1000 },
  );
});

it("reports every error inside the text", () => {
  fc.assert(
    fc.property(anyEdit, (text) => {
      for (const { span, level } of parseBicep(text).diagnostics) {
        assert.ok(span.start >= 0 && span.start <= span.end && span.end <= text.length);
        assert.equal(level, "error");
      }
    }),
    { numRuns: 300 },
  );
});

it("finds nothing wrong with the sample", () => {
  assert.deepEqual(parseBicep(sample).diagnostics, []);
});

const repeated: Readonly<Record<string, (count: number) => string>> = {
  arrays: (count) => `var a = ${"[".repeat(count)}${"]".repeat(count)}`,
  "open objects": (count) => `var a = ${"{a:".repeat(count)}`,
  parentheses: (count) => `var a = ${"(".repeat(count)}1${")".repeat(count)}`,
  "open calls": (count) => `var a = ${"f(".repeat(count)}`,
  conditions: (count) => `var a = ${"b ? c : ".repeat(count)}d`,
  operators: (count) => `var a = ${"b ?? c || d && e == f < g + h * -(".repeat(count)}`,
  lambdas: (count) => `var a = ${"x => ".repeat(count)}x`,
  strings: (count) => `var a = ${"'${".repeat(count)}${"}'".repeat(count)}`,
  "member accesses": (count) => `var a = b${".c".repeat(count)}`,
  additions: (count) => `var a = 1${" + 1".repeat(count)}`,
  "tuple types": (count) => `type a = ${"[".repeat(count)}${"]".repeat(count)}`,
  "nullable types": (count) => `type a = string${"[]?".repeat(count)}`,
  "nested resources": (count) => `resource a 'x' = ${"{\nresource b 'y' = ".repeat(count)}`,
  "decorator members": (count) => `@a${".b".repeat(count)}\nvar c = 1`,
};

for (const [what, source] of Object.entries(repeated)) {
  it(`answers 10,000 levels of ${what} with one diagnostic and a shallow tree`, () => {
    const file = parseBicep(source(10_000));

    assert.deepEqual(
      file.diagnostics.map(({ code }) => code),
      ["nesting-too-deep"],
    );
    assert.ok(depthOf(file.program) < 600);
    assertTokensInTree(file);
  });

  it(`takes 12 levels of ${what} without complaint about depth`, () => {
    const { diagnostics } = parseBicep(source(12));

    assert.ok(!diagnostics.some(({ code }) => code === "nesting-too-deep"));
  });
}

it("refuses a tree that only chains inside nesting make too deep", () => {
  const inner = (levels: number): string => (levels === 0 ? "1" : `(${inner(levels - 1)}${" + 1".repeat(30)})`);

  const file = parseBicep(`var a = ${inner(60)}\nvar b = 1`);

  assert.deepEqual(
    file.diagnostics.map(({ code, span }) => [code, span.start]),
    [["nesting-too-deep", 0]],
  );
  assert.equal(file.program.statements.length, 1);
});

const longTexts: Readonly<Record<string, (count: number) => string>> = {
  "sound text": (count) => sample.repeat(Math.ceil(count / 100)),
  "missing arguments": (count) => `var a = f(${",".repeat(count)}`,
  "missing items": (count) => `var a = [${",".repeat(count)}`,
  "open calls line by line": (count) => "var a = f(\n".repeat(count),
  "open arrays line by line": (count) => "var a = [1 +\n".repeat(count),
  "comment lines after a condition": (count) => `var a = ${"b ? c : ".repeat(30)}d${"\n// e".repeat(count)}`,
  "open strings": (count) => "var a = '${b\n".repeat(count),
  "unknown words": (count) => "foo bar\n".repeat(count),
  decorators: (count) => "@a(\n".repeat(count),
  unions: (count) => `type a = 1${"\n| 1".repeat(count)}`,
};

for (const [what, source] of Object.entries(longTexts)) {
  it(`looks at tokens in proportion to the length of ${what}`, () => {
    const perToken = [2_000, 8_000].map((count) => looksPerToken(source(count)));

    const [short = 0, long = 0] = perToken;
    assert.ok(long < short * 1.1 + 1, `${short} looks per token became ${long}`);
  });
}

/** How often the parser reads from the list of tokens, for each of them. */
function looksPerToken(text: string): number {
  const scanned = scan(text);
  let looks = 0;
  const tokens = new Proxy(scanned.tokens, {
    get(target, key, receiver): unknown {
      looks += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  parseTokens(text, "bicep", { ...scanned, tokens });
  return looks / scanned.tokens.length;
}

/** Tokens and trivia follow one another, and only blanks lie between them. */
function assertLossless(file: SyntaxFile): void {
  let at = 0;
  for (const token of file.tokens) {
    for (const part of [...token.leading, token, ...token.trailing]) {
      const between = file.text.slice(at, part.start);
      assert.match(between, at === 0 ? /^\ufeff?[ \t]*$/ : /^[ \t]*$/);
      assert.ok(part.start >= at && part.end >= part.start);
      at = part.end;
    }
  }
  assert.equal(at, file.text.length);
}

function assertTokensInTree(file: SyntaxFile): void {
  const found: Token[] = [];
  collect(file.program);
  assert.deepEqual(
    found.map(({ index }) => index),
    file.tokens.map((_, index) => index),
  );

  function collect(node: Node): void {
    forEachPart(node, (part) => {
      if (isToken(part)) {
        found.push(part);
      } else {
        collect(part);
      }
    });
  }
}

function assertNestedSpans(file: SyntaxFile): void {
  walk(file.program, (node) => {
    let at = node.start;
    forEachPart(node, (part) => {
      assert.ok(part.start >= at && part.end >= part.start, `${node.kind} has its parts in order`);
      at = part.end;
    });
    assert.ok(at <= node.end, `${node.kind} contains its parts`);
  });
}
