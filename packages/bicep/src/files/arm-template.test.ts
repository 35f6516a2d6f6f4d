import assert from "node:assert/strict";
import { test } from "node:test";
import { printType, ScopeFlags } from "../types/index.ts";
import { readArmTemplate } from "./arm-template.ts";

const schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#";

function read(sections: Readonly<Record<string, unknown>>) {
  return readArmTemplate(
    "/t.json",
    JSON.stringify({ $schema: schema, contentVersion: "1.0.0.0", resources: [], ...sections }),
  );
}

function parameterType(node: unknown, definitions: unknown = {}): string {
  const type = read({ parameters: { p: node }, definitions }).parameters.get("p")?.type;
  return type === undefined ? "none" : printType(type);
}

for (const [node, expected] of [
  [{ type: "string" }, "string"],
  [{ type: "SecureString" }, "string"],
  [{ type: "int", minValue: 1 }, "int"],
  [{ type: "bool", nullable: true }, "bool | null"],
  [{ type: "array" }, "array"],
  [{ type: "array", items: { type: "int" } }, "int[]"],
  [{ type: "array", prefixItems: [{ type: "int" }, { type: "string" }], items: false }, "[int, string]"],
  [{ type: "string", allowedValues: ["a", "b"] }, "'a' | 'b'"],
  [{ type: "array", allowedValues: ["a", "b"] }, "('a' | 'b')[]"],
  [{ type: "object" }, "object"],
  [{ $ref: "#/definitions/text" }, "string"],
  [{ $ref: "#/definitions/text", nullable: true }, "null | string"],
  [{ $ref: "#/definitions/shape/properties/n" }, "int"],
  [{ $ref: "#/definitions/nobody" }, "any"],
  [{ $ref: "elsewhere" }, "any"],
  [{}, "any"],
] as const) {
  test(`the type node ${JSON.stringify(node)} is ${expected}`, () => {
    const definitions = { text: { type: "string" }, shape: { type: "object", properties: { n: { type: "int" } } } };

    assert.equal(parameterType(node, definitions), expected);
  });
}

test("definitions may contain themselves, and references may run in a circle", () => {
  const template = read({
    parameters: { p: { $ref: "#/definitions/tree" }, q: { $ref: "#/definitions/circle" } },
    definitions: {
      tree: { type: "object", properties: { next: { $ref: "#/definitions/tree", nullable: true } } },
      circle: { $ref: "#/definitions/circle" },
    },
  });

  const type = template.parameters.get("p")?.type;
  assert.equal(type?.kind, "object");
  assert.equal(type.kind === "object" && type.properties.get("next")?.type.kind, "union");
  assert.equal(template.parameters.get("q")?.type.kind, "any");
});

test("parameters are required unless they have a default or may be null", () => {
  const template = read({
    parameters: {
      a: { type: "string", metadata: { description: "an a" } },
      b: { type: "string", defaultValue: "x" },
      c: { type: "string", nullable: true },
    },
    outputs: { o: { type: "securestring", value: "x" }, p: { type: "int", value: 1 } },
  });

  assert.deepEqual(
    Array.from(template.parameters.values(), ({ name, required, description }) => [name, required, description]),
    [
      ["a", true, "an a"],
      ["b", false, undefined],
      ["c", false, undefined],
    ],
  );
  assert.deepEqual(
    Array.from(template.outputs.values(), ({ name, secure }) => [name, secure]),
    [
      ["o", true],
      ["p", false],
    ],
  );
});

test("types, variables and functions are exported when they say so; a name twice is ambiguous", () => {
  const exported = { "__bicep_export!": true };
  const template = read({
    definitions: {
      t: { type: "string", metadata: exported },
      hidden: { type: "string" },
      twice: { type: "int", metadata: exported },
    },
    metadata: { "__bicep_exported_variables!": [{ name: "v", type: { type: "int" } }, { name: "twice" }] },
    functions: [
      {
        namespace: "__bicep",
        members: {
          f: { parameters: [{ name: "x", type: "string" }], output: { type: "int", value: 1 }, metadata: exported },
          g: { parameters: [], output: { type: "int", value: 1 } },
        },
      },
    ],
  });

  assert.deepEqual(
    Array.from(template.exports.values(), ({ kind, name }) => [kind, name]),
    [
      ["type", "t"],
      ["variable", "v"],
      ["function", "f"],
    ],
  );
  assert.deepEqual(Array.from(template.ambiguousExports.keys()), ["twice"]);
});

test("the schema tells what a template targets", () => {
  const scope = (name: string) => read({ $schema: `https://example.org/2018-05-01/${name}.json#` }).targetScope;

  assert.equal(scope("deploymentTemplate"), ScopeFlags.ResourceGroup);
  assert.equal(scope("subscriptionDeploymentTemplate"), ScopeFlags.Subscription);
  assert.equal(scope("managementGroupDeploymentTemplate"), ScopeFlags.ManagementGroup);
  assert.equal(scope("tenantDeploymentTemplate"), ScopeFlags.Tenant);
  assert.equal(scope("other"), ScopeFlags.None);
});

for (const text of [
  "",
  "{",
  "[]",
  "null",
  `{ "$schema": "x" }`,
  `{ "$schema": "x", "contentVersion": "1", "resources": 1 }`,
]) {
  test(`${JSON.stringify(text)} is a template with errors`, () => {
    assert.equal(readArmTemplate("/t.json", text).hasErrors(), true);
  });
}
