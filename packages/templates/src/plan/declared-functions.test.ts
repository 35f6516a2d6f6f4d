import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { plan, problems, results, symbolic, tryPlan, valueOf, evaluateOutputsAtOnce } from "./testing/plan-kit.ts";

function functions(members: JsonObject): JsonObject {
  return {
    functions: [{ namespace: "my", members }],
    variables: { v: "variable" },
    parameters: { p: { type: "string", defaultValue: "template" } },
  };
}

const text = (value: string, ...parameters: JsonObject[]) => ({ parameters, output: { type: "string", value } });
const x = { name: "x", type: "string" };

it("calls functions that see their own parameters, variables and one another, in any letter case", () => {
  const declared = functions({
    greet: text("[concat('hello ', parameters('x'), variables('v'))]", x),
    twice: text("[concat(my.greet(parameters('X')), my.greet('b'))]", x),
  });

  assert.equal(valueOf("[MY.Twice('a')]", declared), "hello avariablehello bvariable");
});

it("checks arguments and results against their types", () => {
  const made = plan(
    symbolic({
      ...functions({ f: text("[parameters('x')]", x), g: { output: { type: "int", value: "[variables('v')]" } } }),
      outputs: { a: { value: "[my.f(1)]" }, b: { value: "[my.g()]" } },
    }),
  );

  const evaluation = evaluateOutputsAtOnce(made, results());

  assert.ok(evaluation.kind === "failed");
  assert.deepEqual(
    evaluation.errors.map(({ reason, path }) => `${reason} ${path}`),
    ["InvalidArgument $.outputs.a.value", "InvalidArgument $.outputs.b.value"],
  );
});

it("finds what is wrong with functions and calls of them before anything runs", () => {
  const declared = functions({
    f: text("[parameters('p')]", x),
    g: text("[copyIndex()]"),
    h: text("[reference('a')]"),
  });

  assert.deepEqual(
    problems(symbolic({ ...declared, outputs: { o: { value: "[concat(my.f(), my.nope())]" } } })).sort(),
    [
      "FunctionNotAllowed $.functions[0].members.g.output.value",
      "FunctionNotAllowed $.functions[0].members.h.output.value",
      "UnknownFunction $.outputs.o.value",
      "UnknownParameter $.functions[0].members.f.output.value",
      "WrongArgumentCount $.outputs.o.value",
    ],
  );
});

it("refuses recursion, and shows it as a path", () => {
  const declared = functions({ f: text("[my.g()]"), g: text("[my.h()]"), h: text("[my.g()]") });

  const result = tryPlan(symbolic({ ...declared, parameters: { q: { defaultValue: "[my.f()]" } } }));

  assert.ok(result.kind === "failed");
  const [error] = result.errors;
  assert.deepEqual([error?.reason, error?.path], ["Cycle", "$.functions[0].members.h.output.value"]);
  assert.match(error?.message ?? "", /my\.g → my\.h → my\.g/);
});

it("says which part of an argument is not what it should be", () => {
  const item = { name: "xs", type: "array", items: { type: "int" } };
  const made = plan(
    symbolic({ ...functions({ f: text("x", item) }), outputs: { o: { value: "[my.f(createArray(1, 'two'))]" } } }),
  );

  const evaluation = evaluateOutputsAtOnce(made, results());

  assert.ok(evaluation.kind === "failed");
  assert.match(evaluation.errors[0]?.message ?? "", /"xs" at \[1\] is not valid/);
});

it("a call pays for its scope and for checking its arguments and its result", () => {
  const declared = functions({ f: text("[parameters('x')]", x) });
  const template = (call: string): JsonObject =>
    symbolic({ ...declared, outputs: { n: { value: `[length(map(range(0, 1000), lambda('n', ${call})))]` } } });
  const limits = { steps: 22_000 };

  assert.equal(evaluateOutputsAtOnce(plan(template("'a'"), { limits }), results()).kind, "ready");
  assert.equal(evaluateOutputsAtOnce(plan(template("my.f('a')"), { limits }), results()).kind, "failed");
});
