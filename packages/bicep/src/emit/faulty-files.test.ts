import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compile, compileParameters, emit } from "./testing/compile.ts";
import type { CompileOptions, Json } from "./testing/compile.ts";

// Editors and callers that want more than a refusal compile files with errors too: what is missing is left out or
// empty, and the rest is there.

function compileFaulty(source: string, options: CompileOptions = {}): Json {
  return JSON.parse(emit(source, { ...options, tolerateErrors: true }).text);
}

const resource = (type: string, body = "") => `resource r '${type}' = {\n  name: 'r'\n${body}}\n`;

describe("files with errors", () => {
  it("have empty names for keys that are none or not known", () => {
    const { variables } = compileFaulty("var a = { 1: 2 }\nvar b = union({ 3: 4 }, {})\n");

    assert.deepEqual(variables, { a: { "": 2 }, b: "[union(createObject('', 4), createObject())]" });
  });

  it("have empty names for loops under a key that is put together", () => {
    const { variables } = compileFaulty("param p string\nvar a = {\n  '${p}': [for x in []: x]\n}\n");

    assert.deepEqual(variables.a.copy[0].name, "");
  });

  it("have resources without a type where it cannot be read", () => {
    const { resources } = compileFaulty(
      `${resource("nonsense")}resource s 'My.Rp/b@2020-01-01' = {\n  name: 's'\n  scope: r\n}\n`,
    );

    assert.equal(resources.r.type, "");
    assert.equal(resources.s.scope, "[resourceId('', 'r')]");
  });

  it("have empty names for configurations of extensions whose names are put together", () => {
    const features = ["moduleExtensionConfigs"];
    const source = `param p string
extension kubernetes with {
  '\${p}': p
} as k8s
module m 'm.bicep' = {
  extensionConfigs: {
    '\${p}': {
      '\${p}': p
    }
  }
}
`;

    const { extensions, resources } = compileFaulty(source, { features, files: { "/m.bicep": "" } });

    assert.deepEqual(extensions.k8s.config, { "": { defaultValue: "[parameters('p')]" } });
    assert.deepEqual(resources.m.properties.extensionConfigs, { "": { "": { value: "[parameters('p')]" } } });
  });

  it("hand over what stands in the place of a resource", () => {
    const { resources } = compileFaulty("module m 'm.bicep' = {\n  params: {\n    r: 'text'\n  }\n}\n", {
      features: ["resourceTypedParamsAndOutputs"],
      files: { "/m.bicep": "param r resource 'My.Rp/a@2020-01-01'\n" },
    });

    assert.deepEqual(resources.m.properties.parameters, {
      r: { value: "text" },
    });
  });

  it("import nothing where the source is not written", () => {
    const { variables } = compileFaulty("import { a }\nimport * as b\nvar v = a\nvar w = b.x\n");

    assert.deepEqual(Object.keys(variables), ["v", "w"]);
  });

  it("refer to values in the place of types by their names", () => {
    const files = { "/lib.bicep": "@export()\nvar value = 1\n" };
    const { definitions } = compileFaulty("import { value } from 'lib.bicep'\ntype t = value\n", { files });

    assert.deepEqual(definitions.t, { $ref: "#/definitions/value" });
  });

  it("have the type as it is where a discriminator cannot tell it apart", () => {
    const { definitions } = compileFaulty("@discriminator('kind')\ntype t = string\n");

    assert.deepEqual(definitions.t, { type: "string" });
  });
});

describe("parameters files with errors", () => {
  it("have null for arguments that are missing", () => {
    const { value } = compileParameters(
      "using 'm.bicep'\nextensionConfig k8s with {\n  kubeConfig: getSecret('s', 'g', 'v')\n}\n",
      {
        features: ["moduleExtensionConfigs"],
        files: { "/m.bicep": "extension kubernetes as k8s\n" },
      },
    );

    assert.equal(value.extensionConfigs.k8s.kubeConfig.keyVaultReference.secretName, null);
  });

  it("describe external inputs as far as they are known", () => {
    const { value } = compileParameters(
      "using none\nparam a = externalInput(any(1), int('x'))\nparam b = nobody(externalInput('k'))\n",
    );

    assert.deepEqual(value.externalInputDefinitions, {
      _0: { kind: "", config: null },
      k_1: { kind: "k" },
    });
  });
});

describe("JSON templates with holes", () => {
  const exported = { "__bicep_export!": true };
  const template = (more: object) =>
    JSON.stringify({
      $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
      contentVersion: "1.0.0.0",
      resources: {},
      ...more,
    });

  it("give empty loops, and nothing for variables that are not there", () => {
    const json = template({
      metadata: { "__bicep_exported_variables!": [{ name: "loop" }, { name: "gone" }] },
      variables: { copy: [{ name: "loop" }] },
    });
    const bare = template({ metadata: { "__bicep_exported_variables!": [{ name: "gone" }] } });
    const files = { "/t.json": json, "/bare.json": bare };

    const { variables } = compile(
      "import { loop, gone } from 't.json'\nimport * as b from 'bare.json'\noutput a array = loop\noutput g object = { x: gone, y: b.gone }\n",
      { files },
    );

    assert.deepEqual(variables, { copy: [{ name: "loop", count: "[length(range(0, 0))]", input: null }] });
  });

  it("keep references to types that are not there, and take types that are none for any", () => {
    const json = template({
      definitions: {
        shape: {
          type: "object",
          properties: { a: { $ref: "#/definitions/gone" }, b: { $ref: "#/definitions/odd" } },
          metadata: exported,
        },
        odd: 5,
      },
    });

    const { definitions } = compile("import { shape } from 't.json'\ntype part = shape.b\n", {
      files: { "/t.json": json },
    });

    assert.equal(definitions.part.$ref, "#/definitions/shape/properties/b");
    assert.equal(definitions.shape.properties.a.$ref, "#/definitions/gone");
    assert.deepEqual(Object.keys(definitions["_1.odd"]), ["metadata"]);
  });

  const holes = template({
    metadata: {
      "__bicep_exported_variables!": ["missing", "own", "a"].map((name) => ({ name, type: { type: "string" } })),
    },
    variables: {
      known: "k",
      missing: "[variables('nobody')]",
      own: "[parameters('p')]",
      a: "[variables('b')]",
      b: "[variables('a')]",
    },
    functions: [
      {
        namespace: "__bicep",
        members: {
          constant: {
            parameters: [
              { name: "x", type: "string" },
              { name: "y", type: "string", nullable: true },
            ],
            output: { type: "string", value: "[variables('known')]" },
            metadata: exported,
          },
          both: {
            parameters: [
              { name: "x", type: "string" },
              { name: "y", type: "string", nullable: true },
            ],
            output: { type: "array", value: ["[parameters('x')]", "[parameters('y')]"] },
            metadata: exported,
          },
          bare: { metadata: exported },
          nameless: { parameters: [5], output: { type: "string", value: "x" }, metadata: exported },
          reads: {
            parameters: [{ name: "x", type: "string" }],
            output: { type: "string", value: "[concat(parameters('x'), parameters('nobody'))]" },
            metadata: exported,
          },
        },
      },
    ],
  });
  for (const [what, value] of [
    ["variables that read what is not there", "missing"],
    ["variables that read a value which is not known yet", "own"],
    ["variables in a circle", "a"],
    ["functions that read parameters which they do not have", "reads(externalInput('k'))"],
  ] as const) {
    it(`have no value for ${what}`, () => {
      const { diagnostics } = compileParameters(
        `using none\nimport { missing, own, a, reads } from 't.json'\nparam p = externalInput('k')\nparam q = ${value}\n`,
        { files: { "/t.json": holes } },
      );

      assert.deepEqual(
        diagnostics.map(({ code }) => code),
        ["BCP338"],
      );
    });
  }

  it("have functions that give way to what they stand for, left out arguments to null", () => {
    const { value } = compileParameters(
      "using none\nimport { constant, both } from 't.json'\nparam p = constant(externalInput('k'))\nparam q = both(externalInput('k'))\n",
      { files: { "/t.json": holes } },
    );

    assert.deepEqual(value.parameters, {
      p: { expression: "['k']" },
      q: { expression: "[createArray(externalInputs('k_0'), null())]" },
    });
  });

  it("have functions without parameters or a value", () => {
    const { value, diagnostics } = compileParameters(
      "using none\nimport { bare, nameless } from 't.json'\nparam p = 1\nparam q = [bare()]\n",
      { files: { "/t.json": holes } },
    );

    assert.deepEqual(diagnostics, []);
    assert.deepEqual(value.parameters.q, { value: [null] });
  });
});

describe("functions in parameters files", () => {
  const files = {
    "/f.bicep": `@export()
func constant(x string) string => 'same'
@export()
func number(x string) int => 1
@export()
func file(x string) object => loadJsonContent('a.json')
@export()
func some(x string, y string?) string => '\${x}\${y}'
`,
    "/a.json": '{ "a": 1 }',
  };
  const loaded = { "json a.json": new Map([["a", 1n]]) };
  for (const [call, expected] of [
    ["constant(externalInput('k'))", "['same']"],
    ["number(externalInput('k'))", "[1]"],
    ["file(externalInput('k'))", "[createObject('a', 1)]"],
    ["some(externalInput('k'), null)", "[format('{0}{1}', externalInputs('k_0'), null())]"],
  ] as const) {
    it(`that wait for an input give way to what they stand for: ${call}`, () => {
      const { value } = compileParameters(
        `using none\nimport { constant, number, file, some } from 'f.bicep'\nparam p = ${call}\n`,
        { files, loaded },
      );

      assert.deepEqual(value.parameters.p, { expression: expected });
    });
  }
});
