import assert from "node:assert/strict";
import { it } from "node:test";
import { parseBicep } from "./parse.ts";
import { scan } from "./scanner.ts";
import { errorsOf } from "./testing/errors-of.ts";
import type { Trivia } from "./tokens.ts";

/** The kinds of all tokens but the last. */
function kinds(text: string): string {
  return scan(text)
    .tokens.slice(0, -1)
    .map((token) => token.kind)
    .join(" ");
}

/** Tokens with the comments they own: `a<after` and `before>a`. */
function ownership(text: string): string {
  const texts = (trivia: readonly Trivia[]) => trivia.map(({ start, end }) => text.slice(start, end)).join(" ");
  return scan(text)
    .tokens.map((token) => {
      const before = token.leading.length > 0 ? `${texts(token.leading)}>` : "";
      const after = token.trailing.length > 0 ? `<${texts(token.trailing)}` : "";
      const own =
        token.kind === "newline" || token.kind === "endOfFile" ? token.kind : text.slice(token.start, token.end);
      return `${before}${own}${after}`;
    })
    .join(" | ");
}

const tokenRows: readonly (readonly [source: string, kinds: string])[] = [
  ["{ } ( ) [ ] @ , . ... ? ?? : :: ;", "{ } ( ) [ ] @ , . ... ? ?? : :: ;"],
  ["+ - * / % ^ ! != !~ < <= > >= = == =~ =>", "+ - * / % ^ ! != !~ < <= > >= = == =~ =>"],
  ["&& || |", "&& || |"],
  ["a..b", "identifier . . identifier"],
  ["1a", "integer identifier"],
  ["true false null truer True", "true false null identifier identifier"],
  ["_a1 Z", "identifier identifier"],
  ["a\r\n\r\nb", "identifier newline identifier"],
  ["a\n  \nb", "identifier newline newline identifier"],
  ["a\n// c\nb", "identifier newline newline identifier"],
  ["'a' '' 'a${b}c${d}e'", "stringComplete stringComplete stringLeft identifier stringMiddle identifier stringRight"],
  ["'${'${a}'}'", "stringLeft stringLeft identifier stringRight stringRight"],
  ["'\\${a}'", "stringComplete"],
  ["'''a\n'b''c''''", "stringComplete"],
  ["''' ${a} '''", "stringComplete"],
  ["$'''a${b}c'''", "stringLeft identifier stringRight"],
  ["$$'''a${b}$${c}'''", "stringLeft identifier stringRight"],
  ["/*/ a */ b", "identifier"],
  ["\ufeffa", "identifier"],
];

for (const [source, expected] of tokenRows) {
  it(`splits ${JSON.stringify(source)} into ${expected}`, () => {
    assert.equal(kinds(source), expected);
  });
}

const errorRows: readonly (readonly [source: string, errors: string])[] = [
  ["var a = 1 /* b", "002 10+4"],
  ["var a = 'b\\", "005 8+3"],
  ["var a = 'b\\\n'", "006 10+2"],
  ["var a = '\\u'", "133 9+2"],
  ["var a = '\\u{'", "133 9+3"],
  ["var a = '\\u{12'", "133 9+5"],
  ["var a = '\\u{110000}'", "133 9+10"],
  ["var a = '\\u", "003 8+3"],
  ["var a = '\\q\\w'", "006 9+2; 006 11+2"],
  ["var a = '''b''", "140 8+6"],
  ["var a = $$'''b", "140 8+6"],
  ["var a = $$b", "001 8+2; 009 8+2"],
  ["var a = b & c", "001 10+1; 019 10+1"],
  ["var a = \0", "001 8+1; 009 8+1"],
  ["var a = \ud800", "001 8+1; 009 8+1"],
  ["var a = 1 // \0 \ud800 ok", ""],
  [`var ${"a".repeat(255)} = 1`, ""],
  [`var ${"a".repeat(256)} = 1`, "024 4+256"],
  ["#disable-next-line", "226 18+0"],
  ["#disable-next-line  \n", "226 20+0"],
  ["#restore-diagnostics /", "226 21+0; 007 21+1"],
  ["var a = 1 #disable-next-line b", "001 10+1; 019 10+1"],
  ["/* c */ #disable-next-line b", "001 8+1; 007 8+1"],
  ["#unknown a", "001 0+1; 007 0+1"],
];

for (const [source, errors] of errorRows) {
  it(`finds "${errors}" in ${JSON.stringify(source.slice(0, 40))}`, () => {
    assert.equal(errorsOf(parseBicep(source)), errors);
  });
}

const commentRows: readonly (readonly [source: string, ownership: string])[] = [
  ["a /* b */ // c\nd", "a</* b */ // c | newline | d | endOfFile"],
  ["a = /* b */ c", "a | = | /* b */>c | endOfFile"],
  ["{ // a\nb", "{ | // a>newline | b | endOfFile"],
  ["a\n// b\nc", "a | newline | // b>newline | c | endOfFile"],
  ["a // b", "a<// b | endOfFile"],
  ["a ? /* b */ c", "a | ?</* b */ | c | endOfFile"],
  ["#disable-next-line a b\nc", "#disable-next-line a b>newline | c | endOfFile"],
];

for (const [source, expected] of commentRows) {
  it(`gives the comments of ${JSON.stringify(source)} to their tokens`, () => {
    assert.equal(ownership(source), expected);
  });
}

it("lists pragmas with their codes", () => {
  const { pragmas } = parseBicep("  #disable-diagnostics a-b BCP001\n\t#restore-diagnostics a-b // why\n");

  const named = pragmas.map(({ name, codes }) => [name, ...codes.map(({ text }) => text)]);
  assert.deepEqual(named, [
    ["disable-diagnostics", "a-b", "BCP001"],
    ["restore-diagnostics", "a-b"],
  ]);
});

it("keeps a bounded number of diagnostics, with bounded messages", () => {
  const many = parseBicep("\0".repeat(50_000));
  const long = parseBicep("$".repeat(50_000));

  assert.equal(many.diagnostics.length, 10_001);
  assert.ok(long.diagnostics.every(({ message }) => message.length < 200));
});
