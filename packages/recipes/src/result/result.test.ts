import assert from "node:assert/strict";
import { it } from "node:test";
import { atOnce, inSlices, type JsonValue } from "@rad/core";
import { checkMapping, resultOf } from "./map-outputs.ts";
import { requireDepth } from "./require-depth.ts";
import { readResult } from "./recipe-result.ts";

const output = (value: JsonValue, isSensitive = false) => ({ value, isSensitive });

it("a result has values, secrets and resources; missing ones are empty, and names ignore case", () => {
  assert.deepEqual(readResult({ Values: { a: 1 }, secrets: { b: "c" }, resources: ["/x"] }), {
    values: { a: 1 },
    secrets: { b: "c" },
    resources: ["/x"],
  });
  assert.deepEqual(readResult({ values: { a: 1 }, secrets: null }), { values: { a: 1 }, secrets: {}, resources: [] });
});

for (const ignored of [undefined, null]) {
  it(`a result that is ${JSON.stringify(ignored)} is ignored (S003-03)`, () => {
    assert.deepEqual(readResult(ignored), { values: {}, secrets: {}, resources: [] });
  });
}

const wrong: readonly (readonly [result: JsonValue, message: RegExp])[] = [
  ["text", /^failed to read the recipe output "result": it must be an object/],
  [[1], /it must be an object/],
  [{ value: {} }, /^failed to read the recipe output "result": unknown field "value"/],
  [{ values: [] }, /"values" must be an object/],
  [{ secrets: "s" }, /"secrets" must be an object/],
  [{ resources: "/x" }, /"resources" must be a list of resource ids/],
  [{ resources: [1] }, /"resources" must be a list of resource ids/],
];
for (const [result, message] of wrong) {
  it(`the result ${JSON.stringify(result)} is refused`, () => {
    assert.throws(() => readResult(result), { code: "InvalidRecipeOutputs", recipeStatus: "executionError", message });
  });
}

it("a mapping wins over result, and takes only what it names", () => {
  const outputs = { address: output("h"), key: output("k", true), result: output({ values: { a: 1 } }) };
  const mapping = { outputs: { host: "address", none: "missing" }, secretOutputs: { password: "key" } };
  assert.deepEqual(resultOf(mapping, outputs), { values: { host: "h" }, secrets: { password: "k" }, resources: [] });
  assert.deepEqual(resultOf({}, outputs).values, { a: 1 });
});

it("without a mapping and without result every output passes, sensitive ones as secrets", () => {
  const outputs = { host: output("h"), password: output("p", true), none: output(null) };
  assert.deepEqual(resultOf({}, outputs), { values: { host: "h" }, secrets: { password: "p" }, resources: [] });
});

it("a secret output without a value is refused after the run, an undeclared one before it", () => {
  const mapping = { secretOutputs: { password: "key" } };
  assert.throws(() => resultOf(mapping, { key: output(null, true) }), {
    code: "InvalidRecipeOutputs",
    recipeStatus: "executionError",
  });
  assert.throws(() => checkMapping(mapping, ["other"]), { code: "InvalidRecipeOutputs", recipeStatus: "setupError" });
  checkMapping(mapping, ["key"]);
});

it("an output that is nested too deeply is refused, and a large one is not", async () => {
  let deep: JsonValue = [];
  for (let depth = 0; depth < 20_000; depth += 1) {
    deep = [deep];
  }
  const large = Array.from({ length: 100_000 }, (_, index) => ({ index }));

  await inSlices(requireDepth({ large: output(large) }));
  assert.throws(() => atOnce(requireDepth({ large: output(large), deep: output(deep) })), {
    code: "InvalidRecipeOutputs",
    message: "The output 'deep' is nested more than 200 levels deep.",
  });
});
