import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf, queryOf, rawField, typedField } from "./request-fields.ts";

const noFile = () => assert.fail("no file is read");

test("members, lists and texts make one body", () => {
  const fields = ["a=1", "b[c]=x=y", "b[d][e]=", "list[]=1", "list[]=2", "deep[list][]=z", "__proto__[x]=1"].map(
    rawField,
  );

  assert.equal(
    JSON.stringify(bodyOf(fields)),
    '{"a":"1","b":{"c":"x=y","d":{"e":""}},"list":["1","2"],"deep":{"list":["z"]},"__proto__":{"x":"1"}}',
  );
});

for (const [text, value] of [
  ["a=true", true],
  ["a=false", false],
  ["a=null", null],
  ["a=-12", -12],
  ["a=0", 0],
  ["a=012", "012"],
  ["a=1.5", "1.5"],
  ["a=True", "True"],
  ["a=", ""],
] as const) {
  test(`-F ${text} is ${JSON.stringify(value)}`, async () => {
    assert.deepEqual(bodyOf([await typedField(text, noFile)]), { a: value });
  });
}

test("-F key=@file is the file's content", async () => {
  const field = await typedField("a=@f.txt", async (name) => `content of ${name}`);

  assert.deepEqual(bodyOf([field]), { a: "content of f.txt" });
});

for (const text of ["a", "=1", "[a]=1", "a[b=1", "a[b]c=1", "a[][b]=1"]) {
  test(`${text} is not a field, and its value is not repeated`, () => {
    assert.throws(() => rawField(text), { code: "InvalidField", message: /^(?!.*=1)/ });
  });
}

test("a number that would be sent as another one is refused", async () => {
  await assert.rejects(typedField("a=9007199254740993", noFile), { code: "InvalidField" });
});

for (const fields of [
  ["a=1", "a[b]=2"],
  ["a[b]=2", "a=1"],
  ["a[]=2", "a=1"],
  ["a[]=2", "a[b]=1"],
  ["a[b]=2", "a[]=1"],
]) {
  test(`${fields.join(" and ")} contradict each other`, () => {
    assert.throws(() => bodyOf(fields.map(rawField)), { code: "InvalidField" });
  });
}

test("parameters of a query are texts", async () => {
  assert.deepEqual(queryOf([rawField("top=5"), await typedField("force=true", noFile)]), { top: "5", force: "true" });
  assert.throws(() => queryOf([rawField("a[b]=1")]), { code: "InvalidField" });
});
