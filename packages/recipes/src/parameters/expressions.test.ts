import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject, JsonValue } from "@rad/core";
import { resolveExpressions } from "./expressions.ts";

const context: JsonObject = {
  resource: {
    name: "db",
    id: "/id",
    type: "T/t",
    properties: { size: "M", count: 3, list: [1], deep: { a: 1 }, flag: false },
    connections: { cache: { name: "c", id: "/c", type: "C/c", properties: { port: 6379 } } },
  },
  application: { name: "app", id: "/app" },
  environment: { name: "env", id: "/env" },
  runtime: { kubernetes: { namespace: "ns", environmentNamespace: "envns" } },
  azure: {
    resourceGroup: { name: "rg", id: "/rg" },
    subscription: { subscriptionId: "s", id: "/s" },
    resourceNameHash: "h",
  },
  aws: { region: "r", account: "1" },
};

const table: readonly (readonly [written: JsonValue, resolved: JsonValue])[] = [
  ["plain", "plain"],
  ["{{context.resource.name}}", "db"],
  ["{{ context.resource.name }}-{{context.environment.name}}", "db-env"],
  ["{{context.runtime.kubernetes.namespace}}", "ns"],
  ["{{context.azure.resourceGroup.name}}/{{context.azure.resourceNameHash}}", "rg/h"],
  ["{{context.aws.region}}", "r"],
  ["{{context.resource.properties.count}}", 3],
  ["{{context.resource.properties.flag}}", false],
  ["n={{context.resource.properties.count}}", "n=3"],
  ["{{context.resource.properties.list}}", [1]],
  ["{{context.resource.properties.deep}}", { a: 1 }],
  ["{{context.resource.properties.deep.a}}", "{{context.resource.properties.deep.a}}"],
  ["{{context.resource.connections.cache.properties.port}}", 6379],
  ["{{context.resource.connections.cache.name}}", "c"],
  ["{{context.resource.connections.none.name}}", "{{context.resource.connections.none.name}}"],
  ["{{context.resource.properties.none}}", "{{context.resource.properties.none}}"],
  ["{{context.resource}}", "{{context.resource}}"],
  ["{{secret}}", "{{secret}}"],
  ['{{context.resource.properties.size == "S" ? "small" : "large"}}', "large"],
  ['{{context.resource.properties.size == "S" ? "a" : context.resource.properties.size == "M" ? "b" : "c"}}', "b"],
  [
    '{{context.resource.properties.none == "S" ? "a" : "b"}}',
    '{{context.resource.properties.none == "S" ? "a" : "b"}}',
  ],
  ["${context.resource.name} {{", "${context.resource.name} {{"],
  [
    ["{{context.resource.name}}", { a: "{{context.resource.name}}" }],
    ["db", { a: "db" }],
  ],
  [7, 7],
  [null, null],
];
for (const [written, resolved] of table) {
  it(`${JSON.stringify(written)} is ${JSON.stringify(resolved)}`, () => {
    assert.deepEqual(resolveExpressions({ p: written }, context).parameters, { p: resolved });
  });
}

it("texts of any length are read in one go", () => {
  const hostile = [
    `{{${" ".repeat(100_000)}`,
    "{{".repeat(100_000) + "}}".repeat(10),
    `{{ ${'context.resource.name == "z" ? "a" : '.repeat(50_000)}"b" }}`,
  ];
  const { p } = resolveExpressions({ p: hostile }, context).parameters;
  assert.deepEqual(p, [hostile[0], hostile[1], "b"]);
});

it("a text that stands for a large one many times is refused", () => {
  const large: JsonObject = { resource: { properties: { text: "x".repeat(100_000) } } };
  const one = "{{context.resource.properties.text}}";
  assert.throws(() => resolveExpressions({ p: one.repeat(100) }, large), { code: "RecipeConfigurationFailure" });
  assert.throws(() => resolveExpressions({ p: Array.from({ length: 100 }, () => one) }, large), /stand for more than/);
});

it("what is made of a secret is one, whatever its type", () => {
  const sensitive = ["/context/resource/properties/count", "/context/resource/properties/deep/a"];
  const parameters = {
    number: "{{context.resource.properties.count}}",
    text: ["n={{context.resource.properties.count}}"],
    "a/b": { whole: "{{context.resource.properties.deep}}" },
    other: "{{context.resource.properties.size}}",
    compared: '{{context.resource.properties.count == "3" ? "a" : "b"}}',
  };
  assert.deepEqual(resolveExpressions(parameters, context, sensitive).sensitive, ["/number", "/text/0", "/a~1b/whole"]);
});
