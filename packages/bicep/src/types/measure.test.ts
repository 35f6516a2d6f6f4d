import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arrayOf,
  collapse,
  intLiteral,
  intType,
  isAssignable,
  isLiteral,
  objectOf,
  printType,
  propertyOf,
  PropertyFlags,
  stringLiteral,
  tupleOf,
  unionOf,
  valueOfLiteral,
  valuesOfLiterals,
} from "./index.ts";
import type { Type } from "./index.ts";

const pair = (type: Type): Type => tupleOf([type, type]);
const objectPair = (type: Type): Type =>
  objectOf([propertyOf("a", type, PropertyFlags.Required), propertyOf("b", type, PropertyFlags.Required)]);

for (const [name, wrap] of [
  ["tuples", pair],
  ["objects", objectPair],
] as const) {
  test(`${name} that double with every level stay cheap`, () => {
    const one = grown(60, wrap);
    const other = grown(60, wrap);

    assert.equal(one.key, other.key);
    assert.ok(one.key.length < 1000);
    assert.equal(isLiteral(one), false);
    assert.equal(valueOfLiteral(one), undefined);
    assert.ok(printType(one).length < 10_000);
    assert.equal(unionOf([one, other]).key, one.key);
    assert.ok(isAssignable(one, other));
  });

  test(`${name} ten thousand levels deep stay within the stack`, () => {
    const deep = grown(10_000, (type) => (name === "tuples" ? tupleOf([type]) : objectOf([propertyOf("a", type)])));

    assert.equal(isLiteral(deep), false);
    assert.ok(printType(deep).length > 0);
    assert.equal(unionOf([deep, deep]).key, deep.key);
    assert.notEqual(collapse(unionOf([deep, intType, grown(10_000, (type) => arrayOf(type))])), deep);
  });
}

test("arrays of unions ten thousand levels deep stay within the stack", () => {
  const deep = grown(10_000, (type) => unionOf([arrayOf(type), intType]));

  assert.ok(deep.key.length > 0);
  assert.ok(printType(deep).length > 0);
});

test("different types have different keys, however long", () => {
  const long = (last: string): Type =>
    tupleOf(Array.from({ length: 500 }, (_, i) => stringLiteral(i < 499 ? "x" : last)));

  assert.equal(long("a").key, long("a").key);
  assert.notEqual(long("a").key, long("b").key);
  assert.ok(long("a").key.length < 100);
});

test("literals are only evaluated up to a size", () => {
  const half = stringLiteral("x".repeat(150_000));

  assert.equal(isLiteral(half), true);
  assert.equal(valuesOfLiterals([half])?.length, 1);
  assert.equal(valuesOfLiterals([half, half]), undefined);
  assert.equal(isLiteral(tupleOf([half, half])), false);
  assert.equal(isLiteral(stringLiteral("x".repeat(250_000))), false);
});

test("a long list of members is cut in print", () => {
  const union = unionOf(Array.from({ length: 5000 }, (_, i) => intLiteral(BigInt(i))));

  assert.ok(printType(union).endsWith(" | …"));
});

function grown(levels: number, wrap: (type: Type) => Type): Type {
  let type: Type = intLiteral(1n);
  for (let level = 0; level < levels; level += 1) {
    type = wrap(type);
  }
  return type;
}
