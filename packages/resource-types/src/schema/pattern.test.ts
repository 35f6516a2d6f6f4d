import assert from "node:assert/strict";
import { test } from "node:test";
import { compilePattern, estimateSize } from "./pattern.ts";

const patterns: readonly (readonly [pattern: string, matches: string, misses: string])[] = [
  ["^[a-z]+$", "abc", "aBc"],
  ["b", "abc", "ac"],
  ["^\\d{4}-\\d{2}$", "2025-01", "25-01"],
  ["^[\\w.-]+@example\\.com$", "a.b@example.com", "a@example.org"],
  ["^\\u0041\\/$", "A/", "a/"],
  ["^(?<first>a|b)$", "a", "c"],
];

for (const [pattern, matches, misses] of patterns) {
  test(`the pattern ${pattern} is understood`, () => {
    const compiled = compilePattern(pattern);

    assert.equal(compiled.test(matches), true);
    assert.equal(compiled.test(misses), false);
  });
}

for (const pattern of ["(", "(?=a)", "(?<!a)b", "(a)\\1", "a{1001}", "[b-a]", "x".repeat(1001), "(".repeat(1000)]) {
  test(`the pattern ${pattern.slice(0, 20)} is refused in one line`, () => {
    assert.throws(() => compilePattern(pattern), /^Error: [^\n]+$/);
  });
}

for (const pattern of [".{1000}".repeat(6), `(${"a".repeat(900)}){1000}`, `((${"a".repeat(500)}){30}){30}`]) {
  test(`the pattern ${pattern.slice(0, 20)}… is refused before it is unrolled`, () => {
    assert.throws(() => compilePattern(pattern), /repeats too much/);
  });
}

test("the estimate is close to the size of the program", () => {
  for (const pattern of ["abc", "a{100}", "(ab){50}", "((a{5}){5}){5}", "[^]a-z]{20}x", "a|b|c", "\\{3}"]) {
    const { size } = compilePattern(pattern);

    const estimate = estimateSize(pattern);

    assert.ok(estimate <= size * 2 + 5 && size <= estimate * 2 + 5, `${pattern}: ${estimate} for ${size}`);
  }
});

test("a pattern that backtracking engines choke on gets an answer", () => {
  assert.equal(compilePattern("^(([a-z])+.)+[A-Z]([a-z])+$").test("a".repeat(5000)), false);
});
