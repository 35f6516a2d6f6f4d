import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import {
  plan,
  results,
  symbolic,
  thing,
  tryPlan,
  withParameters,
  evaluateNodeAtOnce,
  evaluateOutputsAtOnce,
} from "./testing/plan-kit.ts";

const canary = "canary-7f3a";

const secret = { type: "securestring" };

function errorsOf(parts: JsonObject): string {
  const parameters = { s: secret, ...(parts["parameters"] as JsonObject | undefined) };
  const made = tryPlan(symbolic({ ...parts, parameters }), withParameters({ s: canary }));
  if (made.kind === "failed") {
    return JSON.stringify(made);
  }
  const found = [...made.nodes.keys()].map((key) => evaluateNodeAtOnce(made, key, results({ a: {} })));
  const failures = [...found, evaluateOutputsAtOnce(made, results({ a: {} }))].filter(({ kind }) => kind === "failed");
  return JSON.stringify(failures);
}

const leaks: readonly (readonly [string, JsonObject])[] = [
  [
    "in the message of fail()",
    { variables: { v: "[fail(parameters('s'))]" }, resources: { b: thing("[variables('v')]") } },
  ],
  ["as the name of a parameter", { resources: { b: thing("[parameters(parameters('s'))]") } }],
  ["as the name of a property", { resources: { b: thing("b", {}, { x: "[createObject('a', 1)[parameters('s')]]" }) } }],
  [
    "as the name of a deployment",
    {
      resources: {
        b: {
          type: "Microsoft.Resources/deployments",
          apiVersion: "1",
          name: "[concat(parameters('s'), ' !')]",
          properties: { template: symbolic({}) },
        },
      },
    },
  ],
  ["as a resource to depend on", { resources: { b: thing("b", { dependsOn: ["[parameters('s')]"] }) } }],
  ["as a resource to read", { resources: { b: thing("b", {}, { x: "[reference(parameters('s'))]" }) } }],
  ["where it is not allowed", { parameters: { s: { ...secret, allowedValues: ["other"] } } }],
  [
    "in the default of another parameter",
    { parameters: { t: { type: "string", allowedValues: ["x"], defaultValue: "[parameters('s')]" } } },
  ],
  [
    "in an output that is not valid",
    { outputs: { o: { type: "string", allowedValues: ["x"], value: "[parameters('s')]" } } },
  ],
  [
    "in an error while a node is evaluated",
    { resources: { a: thing("a"), b: thing("b", {}, { x: "[if(empty(reference('a')), fail(parameters('s')), 1)]" }) } },
  ],
];

for (const [where, parts] of leaks) {
  it(`shows no secret ${where}`, () => {
    const said = errorsOf(parts);

    assert.notEqual(said, "[]", "nothing failed");
    assert.ok(!said.includes(canary), said);
  });
}

it("marks secure parameters, also where only a part of the value is, and lists their texts", () => {
  const made = plan(
    symbolic({
      parameters: {
        s: secret,
        o: { type: "secureObject" },
        part: { type: "object", properties: { open: { type: "string" }, closed: secret } },
        open: { type: "string" },
      },
    }),
    withParameters({ s: "one", o: { deep: ["two"] }, part: { open: "x", closed: "three" }, open: "y" }),
  );

  const secure = Object.entries(made.parameters).map(([name, parameter]) => [name, parameter.secure]);
  assert.deepEqual(Object.fromEntries(secure), { s: true, o: true, part: true, open: false });
  assert.deepEqual(made.secrets, ["one", "two", "three"]);
});

it("does not show secure parameters through deployment()", () => {
  const made = plan(
    symbolic({
      parameters: {
        s: secret,
        part: { type: "object", properties: { closed: secret } },
        early: { type: "object", defaultValue: "[deployment().properties.parameters]" },
        open: { type: "string" },
      },
      outputs: {
        o: { value: "[deployment().properties.parameters]" },
        early: { value: "[parameters('early')]" },
      },
    }),
    withParameters({ s: canary, part: { closed: canary }, open: "y" }),
  );

  const evaluation = evaluateOutputsAtOnce(made, results());

  assert.ok(evaluation.kind === "ready");
  assert.deepEqual(evaluation.value["o"]?.value, { open: { value: "y" } });
  assert.deepEqual(evaluation.value["early"]?.value, { open: { value: "y" } });
});
