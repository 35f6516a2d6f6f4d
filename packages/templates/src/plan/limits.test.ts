import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject, JsonValue } from "@rad/core";
import type { PlanLimits } from "./plan.ts";
import {
  plan,
  problems,
  results,
  symbolic,
  thing,
  evaluateNodeAtOnce,
  evaluateOutputsAtOnce,
} from "./testing/plan-kit.ts";

const many = (count: number, value: JsonValue): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, value]));

const loop = thing("[format('a{0}', copyIndex())]", { copy: { name: "a", count: 3 } });

const table: readonly (readonly [Partial<PlanLimits>, JsonObject, string, string?])[] = [
  [{ parameters: 2 }, { parameters: many(3, { defaultValue: 1 }) }, "$.parameters"],
  [{ variables: 2 }, { variables: many(3, 1) }, "$.variables"],
  [{ outputs: 2 }, { outputs: many(3, { value: 1 }) }, "$.outputs"],
  [{ asserts: 2 }, { asserts: many(3, true) }, "$.asserts"],
  [{ resources: 2 }, { resources: { a: loop } }, "$.resources.a"],
  [{ copies: 2 }, { resources: { a: loop } }, "$.resources.a.copy.count"],
  [{ templateLength: 100 }, { variables: { v: "x".repeat(200) } }, "$", "SizeExceeded"],
  [{ expressionLength: 20 }, { variables: { v: "[concat('abc', 'def', 'g')]" } }, "$.variables.v"],
  [{ expressionDepth: 2 }, { variables: { v: "[not(not(not(not(true()))))]" } }, "$.variables.v"],
  [{ steps: 1_500 }, { resources: { a: thing("[string(length(range(0, 1000)))]") } }, "$.resources.a.properties.name"],
];

for (const [limits, parts, path, reason = "LimitExceeded"] of table) {
  it(`enforces ${JSON.stringify(limits)}`, () => {
    assert.deepEqual(problems(symbolic(parts), { limits }), [`${reason} ${path}`]);
    assert.deepEqual(problems(symbolic(parts)), []);
  });
}

it("allows 10,000 resources and rounds unless told otherwise", () => {
  const of = (count: number) =>
    symbolic({ resources: { a: thing("[format('a{0}', copyIndex())]", { copy: { name: "a", count } }) } });

  assert.deepEqual(problems(of(10_001)), ["LimitExceeded $.resources.a.copy.count"]);
  assert.equal(plan(of(10_000)).nodes.size, 10_000);
});

it("bounds parameters and outputs by what they are together", () => {
  const texts = many(60, { type: "string", value: "[padLeft('', 100000)]" });
  const defaults = many(60, { type: "string", defaultValue: "[padLeft('', 100000)]" });

  const evaluation = evaluateOutputsAtOnce(plan(symbolic({ outputs: texts })), results());

  assert.ok(evaluation.kind === "failed");
  assert.equal(evaluation.errors[0]?.reason, "SizeExceeded");
  assert.match(problems(symbolic({ parameters: defaults }))[0] ?? "", /^SizeExceeded parameters\.n4\d$/);
});

it("does not write out a small expression that stands for an enormous document", () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `v${index + 1}`,
      `[createArray(variables('v${index}'), variables('v${index}'))]`,
    ]),
  );
  const variables = { v0: "x", ...doubling };
  const made = plan(symbolic({ variables, resources: { a: thing("a", {}, { big: "[variables('v40')]" }) } }));

  const evaluation = evaluateNodeAtOnce(made, "a", results());

  assert.ok(evaluation.kind === "failed");
  assert.equal(evaluation.errors[0]?.reason, "SizeExceeded");
  assert.deepEqual(problems(symbolic({ variables: {}, parameters: { p: { defaultValue: "[createArray()]" } } })), []);
});
