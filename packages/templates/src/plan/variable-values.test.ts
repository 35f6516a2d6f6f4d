import assert from "node:assert/strict";
import { it } from "node:test";
import { plan, problems, symbolic, thing, tryPlan, valueOf } from "./testing/plan-kit.ts";

it("evaluates variables in any order and letter case, documents included", () => {
  const variables = { a: { "[concat('k', '1')]": ["[variables('B')]", "[[x]"] }, b: "[add(1, 2)]" };

  assert.deepEqual(valueOf("[variables('A')]", { variables }), { k1: [3, "[x]"] });
});

it("does not mind a variable that would fail but is never used", () => {
  plan(symbolic({ variables: { bad: "[div(1, 0)]" } }));
});

it("blames the variable itself, once, however many use it", () => {
  const resources = { a: thing("[variables('bad')]"), b: thing("[concat(variables('bad'), 'x')]") };

  assert.deepEqual(problems(symbolic({ variables: { bad: "[string(div(1, 0))]" }, resources })), [
    "DivisionByZero $.variables.bad",
  ]);
});

it("shows a circle as a path", () => {
  const variables = { a: "[variables('b')]", b: "[variables('c')]", c: "[variables('a')]" };
  const result = tryPlan(symbolic({ variables, resources: { r: thing("[variables('a')]") } }));

  assert.ok(result.kind === "failed");
  assert.equal(result.errors[0]?.reason, "Cycle");
  assert.match(result.errors[0]?.message ?? "", /a → b → c → a/);
});
