import assert from "node:assert/strict";
import { it } from "node:test";
import { classic, outputs, plan, results, symbolic, thing, evaluateOutputsAtOnce } from "./testing/plan-kit.ts";

it("gives each output its type as the API spells it, and leaves out null values and false conditions", () => {
  const made = plan(
    symbolic({
      outputs: {
        s: { type: "string", value: "x" },
        i: { type: "int", value: "[add(1, 1)]" },
        any: { value: [1] },
        none: { type: "string", nullable: true, value: "[null()]" },
        off: { type: "string", condition: "[equals(1, 2)]", value: "[string(div(1, 0))]" },
      },
    }),
  );

  assert.deepEqual(outputs(made), {
    s: { type: "String", secure: false, value: "x" },
    i: { type: "Int", secure: false, value: 2 },
    any: { type: "Array", secure: false, value: [1] },
    none: { type: "String", secure: false },
  });
});

it("refuses integers that would lose digits", () => {
  const made = plan(
    symbolic({
      outputs: {
        most: { type: "int", value: "[json('9007199254740992')]" },
        beyond: { type: "object", value: { deep: ["[json('9007199254740993')]"] } },
      },
    }),
  );

  const evaluation = evaluateOutputsAtOnce(made, results());

  assert.ok(evaluation.kind === "failed");
  assert.deepEqual(
    evaluation.errors.map(({ reason, path }) => [reason, path]),
    [["IntegerOverflow", "$.outputs.beyond"]],
  );
});

it("takes conditions that are written as a text", () => {
  const made = plan(
    symbolic({
      outputs: {
        on: { type: "int", condition: "True", value: 1 },
        off: { type: "int", condition: "[string(false())]", value: 2 },
      },
    }),
  );

  assert.deepEqual(Object.keys(outputs(made)), ["on"]);
});

it("reads resources, and asks for what it cannot know", () => {
  const made = plan(
    symbolic({
      resources: { a: thing("a") },
      outputs: {
        id: { type: "string", value: "[reference('a').id]" },
        key: { type: "securestring", value: "[listKeys('a', '1').k]" },
      },
    }),
  );
  const nodes = { a: { id: "/a" } };

  const first = evaluateOutputsAtOnce(made, results(nodes));
  assert.ok(first.kind === "needs");

  const found = outputs(made, results(nodes, { [first.calls[0]?.key ?? ""]: { k: "K" } }));
  assert.deepEqual(found, {
    id: { type: "String", secure: false, value: "/a" },
    key: { type: "SecureString", secure: true, value: "K" },
  });
  assert.deepEqual(made.outputs, [
    { name: "id", type: "String", secure: false },
    { name: "key", type: "SecureString", secure: true },
  ]);
});

it("checks values against their types, with a code of its own", () => {
  const made = plan(
    classic({ outputs: { a: { type: "int", value: "x" }, b: { type: "array", value: "[div(1, 0)]" } } }),
  );

  const evaluation = evaluateOutputsAtOnce(made, results());

  assert.ok(evaluation.kind === "failed");
  assert.deepEqual(
    evaluation.errors.map(({ code, reason, path }) => `${code} ${reason} ${path}`),
    [
      "DeploymentOutputEvaluationFailed InvalidOutput $.outputs.a",
      "DeploymentOutputEvaluationFailed DivisionByZero $.outputs.b.value",
    ],
  );
});

it("is secure as a whole where a part of it is", () => {
  const made = plan(
    symbolic({ outputs: { o: { type: "object", properties: { s: { type: "securestring" } }, value: { s: "hush" } } } }),
  );

  assert.equal(outputs(made)["o"]?.secure, true);
});

it("names what a preview cannot know", () => {
  const made = plan(
    symbolic({ resources: { a: thing("a") }, outputs: { o: { type: "int", value: "[reference('a').n]" } } }),
  );

  const evaluation = evaluateOutputsAtOnce(made, results(), { preview: true });

  assert.ok(evaluation.kind === "ready");
  assert.deepEqual(evaluation.unknown, ["$.outputs.o.value"]);
});

it("leaves an output out of a preview when it cannot tell whether there is one", () => {
  const template = symbolic({
    parameters: { p: { type: "bool" }, n: { type: "int" } },
    outputs: {
      maybe: { type: "string", condition: "[parameters('p')]", value: "x" },
      many: { type: "array", copy: { count: "[parameters('n')]", input: "x" } },
      surely: { type: "string", value: "y" },
    },
  });
  const made = plan(template, { parameters: { p: { unknown: true }, n: { unknown: true } } });

  const evaluation = evaluateOutputsAtOnce(made, results(), { preview: true });

  assert.ok(evaluation.kind === "ready");
  assert.deepEqual(Object.keys(evaluation.value), ["surely"]);
  assert.deepEqual(evaluation.unknown, ["$.outputs.maybe", "$.outputs.many"]);
});
