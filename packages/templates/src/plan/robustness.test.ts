import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject, JsonValue } from "@rad/core";
import fc from "fast-check";
import {
  inAzure,
  results,
  symbolic,
  thing,
  tryPlan,
  evaluateNodeAtOnce,
  evaluateOutputsAtOnce,
} from "./testing/plan-kit.ts";

/** Plans and, where there is a plan, evaluates all of it. Whatever is wrong has to come back as an error. */
function runAll(template: JsonValue, parameters: JsonObject = {}): void {
  const given = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, { value }]));
  const limits = { steps: 50_000, copies: 50, resources: 50 };
  const made = tryPlan(template, { ...inAzure, parameters: given, limits });
  if (made.kind === "failed") {
    assert.ok(made.errors.length > 0);
    assert.ok(made.errors.every(({ path, message }) => path !== "" && message !== ""));
    return;
  }
  for (const preview of [false, true]) {
    for (const key of made.nodes.keys()) {
      evaluateNodeAtOnce(made, key, results(), { preview });
    }
    evaluateOutputsAtOnce(made, results(), { preview });
  }
}

const words = [
  "a",
  "b",
  "x",
  "[copyIndex()]",
  "[reference('a')]",
  "[parameters('p')]",
  "[variables('v')]",
  "[resourceInfo('b').id]",
  "[listKeys('a', '1')]",
  "[[x]",
  "[",
  "[range(0, 40)]",
  "[add(1, 2)]",
  "[extensions('radius')]",
  "[deployment()]",
  "[target()]",
  "",
  "serial",
  "inner",
  "outer",
  "#/definitions/d",
  "radius",
  "A.B/c",
  "Microsoft.Resources/deployments",
  "1.0.0.0",
];
const names = [
  "name",
  "type",
  "apiVersion",
  "properties",
  "copy",
  "count",
  "input",
  "condition",
  "dependsOn",
  "scope",
  "existing",
  "import",
  "resources",
  "template",
  "parameters",
  "variables",
  "outputs",
  "value",
  "defaultValue",
  "$ref",
  "items",
  "mode",
  "batchSize",
  "@options",
  "expressionEvaluationOptions",
  "p",
  "v",
  "__proto__",
];

const anything = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonValue>(...words),
    fc.constantFrom<JsonValue>(0, 1, 3, -1, 1.5, true, false, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 5 }),
  ),
})).value;

it("never throws over a template, whatever it holds", () => {
  fc.assert(
    fc.property(anything, anything, anything, anything, (parameters, variables, resource, value) => {
      runAll(
        symbolic({
          parameters,
          variables,
          definitions: { d: value },
          resources: { a: thing("a"), b: resource },
          outputs: { o: { value } },
        }),
        { p: value },
      );
    }),
    { numRuns: 400 },
  );
});

it("never throws over a resource that is nearly right", () => {
  const resource = fc.record(
    {
      type: fc.constantFrom("A.B/c", "Microsoft.Resources/deployments", "Radius.Test/things@1"),
      apiVersion: fc.constantFrom("1", "2"),
      name: fc.constantFrom<JsonValue>(...words),
      import: fc.constantFrom("radius", "RADIUS"),
      copy: fc.record({
        name: fc.constant("l"),
        count: fc.constantFrom<JsonValue>(...words, 2),
        mode: fc.constantFrom("serial", "parallel"),
      }),
      condition: fc.constantFrom<JsonValue>(...words, true),
      dependsOn: fc.array(fc.constantFrom(...words), { maxLength: 2 }),
      properties: anything,
    },
    { requiredKeys: ["type", "apiVersion"] },
  );
  fc.assert(
    fc.property(fc.array(resource, { maxLength: 3 }), anything, (list, value) => {
      const named = Object.fromEntries(list.map((entry, index) => [`r${index}`, entry as JsonObject]));
      runAll(symbolic({ variables: { v: value }, parameters: { p: { defaultValue: value } }, resources: named }));
    }),
    { numRuns: 400 },
  );
});

it("answers, rather than overflows, where things nest deeply", () => {
  const deep = (levels: number): JsonValue => {
    let value: JsonValue = "[add(1, 1)]";
    for (let level = 0; level < levels; level += 1) {
      value = level % 2 === 0 ? [value] : { x: value };
    }
    return value;
  };
  const chain = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`v${index}`, `[concat(variables('v${index + 1}'), 'x')]`]),
  );
  const members = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [
      `f${index}`,
      { output: { type: "string", value: `[concat(my.f${index + 1}(), 'x')]` } },
    ]),
  );
  const last = { output: { type: "string", value: "x" } };

  runAll(symbolic({ resources: { a: thing("a", {}, { deep: deep(450) }) } }));
  runAll(symbolic({ resources: { a: thing("a", {}, { deep: deep(5000) }) } }));
  runAll(symbolic({ variables: { ...chain, v500: "x" }, resources: { a: thing("[variables('v0')]") } }));
  runAll(
    symbolic({
      functions: [{ namespace: "my", members: { ...members, f500: last } }],
      resources: { a: thing("[my.f0()]") },
    }),
  );
  runAll(
    symbolic({
      parameters: Object.fromEntries(
        Array.from({ length: 255 }, (_, index) => [
          `p${index}`,
          { type: "string", defaultValue: index === 254 ? "x" : `[concat(parameters('p${index + 1}'), 'x')]` },
        ]),
      ),
    }),
  );
});
