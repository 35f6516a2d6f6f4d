import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compile } from "./testing/compile.ts";
import type { Json } from "./testing/compile.ts";

const prologue = `
type alias = { a: string, 'b/c': { d: int }, *: bool }
type again = alias
type items = alias[]
type pair = [string, alias]
type letters = 'b' | 'a'
type one = { kind: 'one', x: int }
type two = { kind: 'two' }
@discriminator('kind')
type tagged = one | two
`;

function definition(source: string): Json {
  return compile(`${prologue}${source}\n`).definitions.t;
}

const table: readonly (readonly [type: string, node: Json])[] = [
  ["string", { type: "string" }],
  ["sys.int", { type: "int" }],
  ["bool", { type: "bool" }],
  ["object", { type: "object" }],
  ["array", { type: "array" }],
  ["'a'", { type: "string", allowedValues: ["a"] }],
  ["'[a]'", { type: "string", allowedValues: ["[[a]"] }],
  ["-1", { type: "int", allowedValues: [-1] }],
  ["!true", { type: "bool", allowedValues: [false] }],
  ["string?", { type: "string", nullable: true }],
  ["(string)!", { type: "string", nullable: false }],
  ["string[]", { type: "array", items: { type: "string" } }],
  ["any[]", { type: "array", items: {} }],
  ["('b' | 'a')[]", { type: "array", allowedValues: ["a", "b"] }],
  ["('a')[]", { type: "array", allowedValues: ["a"] }],
  ["2[]", { type: "array", allowedValues: [2] }],
  ["true[]", { type: "array", allowedValues: [true] }],
  ["(-1)[]", { type: "array", allowedValues: [-1] }],
  ["letters[]", { type: "array", items: { $ref: "#/definitions/letters" } }],
  ["'b' | 'a' | 'b'", { type: "string", allowedValues: ["a", "b"] }],
  ["'b' | null", { type: "string", allowedValues: ["b", null], nullable: true }],
  ["letters | 'c'", { type: "string", allowedValues: ["a", "b", "c"] }],
  ["{ b: 1 } | { a: 'y' } | { a: 'x' }", { type: "object", allowedValues: [{ a: "x" }, { a: "y" }, { b: 1 }] }],
  ["1 | 10 | -10", { type: "int", allowedValues: [-10, 1, 10] }],
  ["{ a: 'x' } | { a: 'y' }", { type: "object", allowedValues: [{ a: "x" }, { a: "y" }] }],
  ["[1] | [2, 'z']", { type: "array", allowedValues: [[1], [2, "z"]] }],
  ["(true | 'a' | 3)[]", { type: "array", allowedValues: ["a", 3, true] }],
  ["{}", { type: "object", properties: {} }],
  [
    "{ 'a-b': string?, *: int }",
    {
      type: "object",
      properties: { "a-b": { type: "string", nullable: true } },
      additionalProperties: { type: "int" },
    },
  ],
  [
    "[string, 'a']",
    { type: "array", prefixItems: [{ type: "string" }, { type: "string", allowedValues: ["a"] }], items: false },
  ],
  ["alias", { $ref: "#/definitions/alias" }],
  ["alias?", { $ref: "#/definitions/alias", nullable: true }],
  ["alias.a", { $ref: "#/definitions/alias/properties/a" }],
  ["again.a", { $ref: "#/definitions/alias/properties/a" }],
  ["again.*", { $ref: "#/definitions/alias/additionalProperties" }],
  ["items[*]", { $ref: "#/definitions/items/items" }],
  ["items[*].a", { $ref: "#/definitions/alias/properties/a" }],
  ["pair[1]", { $ref: "#/definitions/pair/prefixItems/1" }],
  ["pair[1].a", { $ref: "#/definitions/alias/properties/a" }],
  [
    "resourceInput<'My.Rp/a@2020-01-01'>.properties.x[*].*",
    {
      metadata: {
        "__bicep_resource_derived_type!": {
          source: "My.Rp/a@2020-01-01#properties/properties/properties/x/items/additionalProperties",
        },
      },
    },
  ],
  [
    "sys.resourceOutput<'az:My.Rp/a@2020-01-01'>.name",
    {
      type: "string",
      metadata: { "__bicep_resource_derived_type!": { source: "My.Rp/a@2020-01-01#properties/name", output: true } },
    },
  ],
];

describe("types", () => {
  for (const [type, node] of table) {
    it(`emits ${type}`, () => {
      const found = definition(`type t = ${type}`);
      assert.deepEqual(found, node);
      assert.deepEqual(Object.keys(found), Object.keys(node));
    });
  }

  it("tells unions of objects apart by one property, opening unions inside of them", () => {
    const expected = {
      type: "object",
      discriminator: {
        propertyName: "kind",
        mapping: {
          one: { $ref: "#/definitions/one" },
          two: { $ref: "#/definitions/two" },
          three: { type: "object", properties: { kind: { type: "string", allowedValues: ["three"] } } },
        },
      },
    };
    assert.deepEqual(definition("@discriminator('kind')\ntype t = tagged | ({ kind: 'three' })"), expected);
    assert.deepEqual(definition("@discriminator('kind')\ntype t = ((one | two) | { kind: 'three' })?"), {
      ...expected,
      nullable: true,
    });
    assert.deepEqual(definition("@discriminator('kind')\ntype t = (tagged | { kind: 'three' })!"), {
      ...expected,
      nullable: false,
    });
    assert.deepEqual(definition("type u = (tagged)\n@discriminator('kind')\ntype t = u | { kind: 'three' }"), expected);
    assert.deepEqual(definition("type u = tagged\n@discriminator('kind')\ntype t = u | { kind: 'three' }"), expected);
  });

  it("adds what decorators say, in a fixed order", () => {
    const node = definition(
      "@description('about')\n@maxLength(5)\n@minLength(1)\n@metadata({ a: 1 })\n@export()\n@secure()\ntype t = string",
    );
    assert.deepEqual(Object.entries(node), [
      ["type", "securestring"],
      ["metadata", { "__bicep_export!": true, a: 1, description: "about" }],
      ["minLength", 1],
      ["maxLength", 5],
    ]);
    assert.deepEqual(definition("@sealed()\n@secure()\ntype t = {\n  @minValue(-1)\n  @maxValue(2)\n  x: int\n}"), {
      type: "secureObject",
      properties: { x: { type: "int", minValue: -1, maxValue: 2 } },
      additionalProperties: false,
    });
  });

  it("adds what decorators of items and of additional members say", () => {
    assert.deepEqual(definition("type t = [\n  @description('item')\n  string\n]").prefixItems, [
      { type: "string", metadata: { description: "item" } },
    ]);
    assert.deepEqual(definition("type t = {\n  @description('rest')\n  *: string\n}").additionalProperties, {
      type: "string",
      metadata: { description: "rest" },
    });
  });

  it("removes the indentation that lines of a description share", () => {
    const node = definition("@description('''first\n    second\n      third\n\n    ''')\ntype t = string");
    assert.equal(node.metadata.description, "first\nsecond\n  third\n\n");
  });

  it("checks values with lambdas when that is switched on", () => {
    const template = compile("@validate(x => startsWith(x, 'a'), 'must start with a')\nparam p string\n", {
      features: ["userDefinedConstraints"],
    });
    assert.deepEqual(template.parameters.p.validate, [
      "[lambda('x', startsWith(lambdaVariables('x'), 'a'))]",
      "must start with a",
    ]);
  });
});

describe("parameters, outputs, functions and metadata", () => {
  it("have types, defaults, allowed values and modifiers in that order", () => {
    const { parameters } = compile(
      "@allowed([\n  'a'\n  'b'\n])\n@description('about')\n@maxLength(3)\nparam p string = 'a'\n",
    );
    assert.deepEqual(Object.entries(parameters.p), [
      ["type", "string"],
      ["defaultValue", "a"],
      ["allowedValues", ["a", "b"]],
      ["maxLength", 3],
      ["metadata", { description: "about" }],
    ]);
  });

  it("have values last, or loops without a name", () => {
    const { outputs } = compile(
      "@description('about')\noutput o string = 'a'\noutput l array = [for (x, i) in [1]: i]\n",
    );
    assert.deepEqual(Object.keys(outputs.o), ["type", "metadata", "value"]);
    assert.deepEqual(outputs.l, { type: "array", copy: { count: "[length(createArray(1))]", input: "[copyIndex()]" } });
  });

  it("have parameters with names and a result with a value", () => {
    const template = compile(
      "var v = 1\n@export()\n@description('about')\nfunc f(a string, b int[]) string => '${a}${g(b)}'\nfunc g(x array) int => length(x)\noutput o string = f('x', [v])\n",
    );
    assert.deepEqual(template.functions, [
      {
        namespace: "__bicep",
        members: {
          f: {
            parameters: [
              { type: "string", name: "a" },
              { type: "array", items: { type: "int" }, name: "b" },
            ],
            output: { type: "string", value: "[format('{0}{1}', parameters('a'), __bicep.g(parameters('b')))]" },
            metadata: { description: "about", "__bicep_export!": true },
          },
          g: {
            parameters: [{ type: "array", name: "x" }],
            output: { type: "int", value: "[length(parameters('x'))]" },
          },
        },
      },
    ]);
    assert.equal(template.outputs.o.value, "[__bicep.f('x', createArray(variables('v')))]");
  });

  it("have metadata of the file after what compilers write", () => {
    const { metadata } = compile(
      "metadata b = 'x'\nmetadata a = { y: [1] }\n@export()\n@description('about')\nvar v string = ''\n@export()\nvar w = 1\n",
    );
    assert.deepEqual(Object.keys(metadata), ["_generator", "__bicep_exported_variables!", "b", "a"]);
    assert.deepEqual(metadata["__bicep_exported_variables!"], [
      { name: "v", description: "about", type: { type: "string" } },
      { name: "w" },
    ]);
    assert.equal(metadata._generator.name, "bicep");
    assert.equal(metadata._generator.version, "test");
  });

  it("list exported variables in the ordinal order of their names", () => {
    const exported = ["b", "_z", "a10", "a2", "C", "a"].map((name) => `@export()\nvar ${name} = '${name}'\n`);
    const { metadata, variables } = compile(exported.join(""));
    const names = metadata["__bicep_exported_variables!"].map(({ name }: Json) => name);
    assert.deepEqual(names, ["C", "_z", "a", "a10", "a2", "b"]);
    assert.deepEqual(Object.keys(variables), ["b", "_z", "a10", "a2", "C", "a"]);
  });

  it("hand resources over by their ids", () => {
    const features = ["resourceTypedParamsAndOutputs"];
    const template = compile(
      "param p resource 'My.Rp/a@2020-01-01'\nresource r 'My.Rp/a@2020-01-01' = {\n  name: 'r'\n}\noutput o resource 'My.Rp/a@2020-01-01' = r\nmodule m 'm.bicep' = {\n  name: 'm'\n  params: {\n    x: r\n  }\n}\n",
      { features, files: { "/m.bicep": "param x resource 'My.Rp/a@2020-01-01'\n" } },
    );
    assert.deepEqual(template.parameters.p, { type: "string", metadata: { resourceType: "My.Rp/a@2020-01-01" } });
    assert.equal(template.outputs.o.value, "[resourceId('My.Rp/a', 'r')]");
    assert.equal(template.resources[1].properties.parameters.x.value, "[resourceId('My.Rp/a', 'r')]");
  });

  it("look resources up that they are handed", () => {
    const { outputs, variables } = compile(
      "param p resource 'My.Rp/a@2020-01-01'\nvar early = p.name\nvar late = p.properties.x\noutput l string = late\noutput o array = [p.id, p.name, p.type, p.apiVersion, p.properties.x, p.location, p.?tags, p]\n",
      { features: ["resourceTypedParamsAndOutputs"] },
    );
    assert.deepEqual(outputs.o.value, [
      "[parameters('p')]",
      "[last(split(parameters('p'), '/'))]",
      "My.Rp/a",
      "2020-01-01",
      "[reference(parameters('p'), '2020-01-01').x]",
      "[reference(parameters('p'), '2020-01-01', 'full').location]",
      "[tryGet(reference(parameters('p'), '2020-01-01', 'full'), 'tags')]",
      "[parameters('p')]",
    ]);
    assert.deepEqual(variables, { early: "[last(split(parameters('p'), '/'))]" });
    assert.equal(outputs.l.value, "[reference(parameters('p'), '2020-01-01').x]");
  });

  it("state what must hold", () => {
    const template = compile("param n int\nassert positive = n > 0\n", { features: ["assertions"] });
    assert.deepEqual(template.asserts, { positive: "[greater(parameters('n'), 0)]" });
    assert.deepEqual(template.metadata._EXPERIMENTAL_FEATURES_ENABLED, ["Asserts"]);
  });
});
