import assert from "node:assert/strict";
import { test } from "node:test";
import { isBalanced } from "./input-balance.ts";

for (const text of [
  "1",
  "{a: [1]}",
  "f('(')",
  "'a${f('}')}b'",
  "'''\n{\n'''",
  "1 // (",
  "/* ( */ 1",
  "')",
  "'open",
  "'\\'('",
]) {
  test(`input can end after ${JSON.stringify(text)}`, () => {
    assert.equal(isBalanced(text), true);
  });
}

for (const text of ["(", "{ a: [", "f(", "'''", "'''\n'", "/* 1", "'a${f(", "{ // }", "[\n'a'\n"]) {
  test(`input goes on after ${JSON.stringify(text)}`, () => {
    assert.equal(isBalanced(text), false);
  });
}
