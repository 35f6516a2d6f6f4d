import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject, JsonValue } from "@rad/core";
import { fromJson, toJson } from "../values/json-conversion.ts";
import { isObject, type ObjectValue } from "../values/value.ts";
import { evaluateCases } from "./evaluate-cases.ts";

const host = { now: new Date("2020-01-02T03:04:05Z"), newGuid: () => "G" };

interface Question {
  readonly expression: string;
  readonly parameters?: JsonObject;
  readonly variables?: JsonObject;
  readonly functions?: JsonValue;
  readonly context?: JsonObject;
}

function answer({ expression, parameters = {}, variables = {}, functions = [], context = {} }: Question): JsonValue {
  const values = { parameters: objectOf(parameters), variables: objectOf(variables), functions: fromJson(functions) };
  const [only] = evaluateCases([{ id: "it", expression, context, ...values }], host);
  assert.ok(only !== undefined);
  return "value" in only ? toJson(only.value) : `error ${only.error.code}`;
}

function objectOf(json: JsonObject): ObjectValue {
  const value = fromJson(json);
  assert.ok(isObject(value));
  return value;
}

it("answers each case by its id, errors among them", () => {
  const answers = evaluateCases(
    [
      { id: "a", expression: "[add(1, parameters('n'))]", parameters: objectOf({ N: 2 }) },
      { id: "b", expression: "[nope()]" },
      { id: "c", expression: "plain" },
    ],
    host,
  );

  assert.deepEqual(
    answers.map(({ id }) => id),
    ["a", "b", "c"],
  );
  assert.deepEqual(answers[0], { id: "a", value: 3n });
  assert.ok(answers[1] !== undefined && "error" in answers[1] && answers[1].error.code === "UnknownFunction");
  assert.deepEqual(answers[2], { id: "c", value: "plain" });
});

it("takes values as they are, and functions as a template declares them", () => {
  const functions = [
    {
      namespace: "my",
      members: { f: { parameters: [{ name: "x" }], output: { value: "[concat(parameters('x'), variables('v'))]" } } },
    },
  ];

  assert.equal(
    answer({ expression: "[my.f(parameters('p'))]", parameters: { p: "[a]" }, variables: { v: "!" }, functions }),
    "[a]!",
  );
  assert.equal(answer({ expression: "[my.f('x')]", functions: [{}] }), "error InvalidShape");
});

it("answers from the context", () => {
  const context = {
    scope: "resourceGroup",
    subscriptionId: "s",
    resourceGroup: "g",
    location: "l",
    references: { "A.B/c/x": { apiVersion: "1", properties: { v: 1 } } },
    deployments: { d: { outputs: { o: { value: 2 } } } },
    copy: { name: "l", index: 4 },
  };
  const table: readonly (readonly [string, JsonValue])[] = [
    ["[resourceGroup().id]", "/subscriptions/s/resourceGroups/g"],
    ["[resourceGroup().location]", "l"],
    ["[reference(resourceId('A.B/c', 'x'), '1').v]", 1],
    ["[reference(resourceId('A.B/c', 'x'), '1', 'full').apiVersion]", "1"],
    ["[reference(resourceId('Microsoft.Resources/deployments', 'd'), '1').outputs.o.value]", 2],
    ["[reference('A.B/c/none')]", "error UnknownDependency"],
    ["[copyIndex('l', 1)]", 5],
    ["[copyIndex()]", 4],
    ["[copyIndex('m')]", "error FunctionNotAllowed"],
  ];
  for (const [expression, expected] of table) {
    assert.deepEqual(answer({ expression, context }), expected, expression);
  }
});

it("tells the time and makes GUIDs only for the default value of a parameter", () => {
  const context = { placement: "parameter default value" };

  assert.equal(
    answer({ expression: "[utcNow()]", context: { ...context, now: "2019-03-05T17:53:18Z" } }),
    "20190305T175318Z",
  );
  assert.equal(answer({ expression: "[utcNow('yyyy')]", context }), "2020");
  assert.equal(answer({ expression: "[newGuid()]", context }), "g");
  assert.equal(answer({ expression: "[utcNow()]" }), "error FunctionNotAllowed");
});
