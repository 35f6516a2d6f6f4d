import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileParameters } from "./testing/compile.ts";
import type { CompileOptions, Json } from "./testing/compile.ts";

function parametersOf(source: string, options?: CompileOptions): Json {
  const { diagnostics, value } = compileParameters(`using none\n${source}\n`, options);
  assert.deepEqual(diagnostics, []);
  return value.parameters;
}

describe("parameters files", () => {
  it("have a schema, a version and values", () => {
    const { text } = compileParameters("using none\nparam p = 1\n");
    assert.equal(
      text,
      `{
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#",
  "contentVersion": "1.0.0.0",
  "parameters": {
    "p": {
      "value": 1
    }
  }
}`,
    );
  });

  const table: readonly (readonly [source: string, expected: unknown])[] = [
    ["'[text]'", "[text]"],
    ["null", null],
    ["toUpper('a${1 + 1}')", "A2"],
    ["{ a: [v, !true], 'b-${v}': v }", { a: ["value", false], "b-value": "value" }],
    ["map(range(0, 3), i => i * 2)", [0, 2, 4]],
    ["[for (x, i) in ['a', 'b']: '${x}${i}']", ["a0", "b1"]],
    ["other", "second"],
    ["readEnvironmentVariable('HOME_SET', 'no')", "yes"],
    ["readEnvironmentVariable('HOME_UNSET', 'no')", "no"],
    ["sys.any(v)", "value"],
    ["loadTextContent('a.txt')", "content"],
    ["[loadJsonContent('a.json')]", [{ a: 1 }]],
  ];
  for (const [source, expected] of table) {
    it(`evaluate ${source}`, () => {
      const { p } = parametersOf(`var v = 'value'\nparam other = 'second'\nparam p = ${source}`, {
        environment: { HOME_SET: "yes" },
        files: { "/a.txt": "content", "/a.json": '{ "a": 1 }' },
        loaded: { "text a.txt": "content", "json a.json": new Map([["a", 1n]]) },
      });
      assert.deepEqual(p, { value: expected });
    });
  }

  it("keep every digit of wide integers", () => {
    assert.match(
      compileParameters("using none\nparam p = 9223372036854775807\n").text,
      /"value": 9223372036854775807\n/,
    );
  });

  it("write only what the template declares, in the order of assignments", () => {
    const { value } = compileParameters("using 'main.bicep'\nparam b = 1\nparam a = 2\nparam unknown = 3\n", {
      files: { "/main.bicep": "param a int\nparam b int\n" },
    });
    assert.deepEqual(Object.keys(value.parameters), ["b", "a"]);
  });

  it("inherit what they do not assign themselves, and can read what they do", () => {
    const files = {
      "/base.bicepparam": "using none\nparam a = 'base a'\nparam b = toUpper('base b')\nparam c = 'base c'\n",
    };
    const parameters = parametersOf("extends 'base.bicepparam'\nparam b = '${base.b}!'\nparam d = base.a", { files });
    assert.deepEqual(parameters, {
      b: { value: "BASE B!" },
      d: { value: "base a" },
      a: { value: "base a" },
      c: { value: "base c" },
    });
  });

  it("call imported functions and read imported variables", () => {
    const lib =
      "var word = 'hi'\n@export()\nvar list = [for i in range(0, 2): '${word}${i}']\n@export()\nfunc twice(x string) array => [x, '${x}${word}']\n";
    const files = { "/lib.bicep": lib };
    assert.deepEqual(
      parametersOf("import { list, twice } from 'lib.bicep'\nparam p = [list, twice('a')]", { files }).p,
      {
        value: [
          ["hi0", "hi1"],
          ["a", "ahi"],
        ],
      },
    );
    assert.deepEqual(parametersOf("import * as lib from 'lib.bicep'\nparam p = lib.twice(lib.list[0])", { files }).p, {
      value: ["hi0", "hi0hi"],
    });
  });

  it("point to secrets", () => {
    assert.deepEqual(parametersOf("param p = getSecret('s', 'g', 'v', 'n')").p, {
      reference: {
        keyVault: { id: "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v" },
        secretName: "n",
      },
    });
    assert.deepEqual(parametersOf("param p = az.getSecret('s', externalInput('g'), 'v', externalInput('n'), '1')").p, {
      reference: {
        keyVault: { id: "[resourceId('s', externalInputs('g_0'), 'Microsoft.KeyVault', 'vaults', 'v')]" },
        secretName: "[externalInputs('n_1')]",
        secretVersion: "1",
      },
    });
  });

  it("say which values cannot be found, and leave them out", () => {
    const { diagnostics, value } = compileParameters(
      "using none\nparam good = 1\nparam bad = int('x')\nparam worse = bad\n",
    );
    assert.deepEqual(
      diagnostics.map(({ code, level, span }) => [code, level, span.start]),
      [
        ["BCP338", "error", 38],
        ["BCP338", "error", 61],
      ],
    );
    assert.deepEqual(value.parameters, { good: { value: 1 } });
  });

  it("say which uses of other parameters cannot be known", () => {
    const { diagnostics, value } = compileParameters(
      "using none\nparam secret = getSecret('s', 'g', 'v', 'n')\nparam none = null\nparam a = secret\nparam b = [none]\n",
    );
    assert.deepEqual(
      diagnostics.map(({ code, span }) => [code, span.start]),
      [
        ["BCP368", 84],
        ["BCP369", 102],
      ],
    );
    assert.deepEqual(Object.keys(value.parameters), ["secret", "none"]);
  });

  it("say nothing about values that have errors already", () => {
    const faulty = "using none\nvar v = toLower(1)\nparam a = v\nparam b = unknown\nparam c = { x: a }\n";
    assert.deepEqual(compileParameters(faulty).diagnostics, []);
    const misplaced = "using none\nparam a = '${getSecret('s', 'g', 'v', 'n')}'\nparam b = [a]\n";
    assert.deepEqual(compileParameters(misplaced).diagnostics, []);
    assert.deepEqual(compileParameters("using none\nparam a = int('x')\nparam b = = 1\n").diagnostics, []);
  });

  it("evaluate typed variables, and leave types out", () => {
    const files = {
      "/lib.bicep": "@export()\ntype size = 'small' | 'large'\n@export()\nvar preferred size = 'large'\n",
    };
    const { value } = compileParameters(
      "using none\nimport { size, preferred } from 'lib.bicep'\nimport * as lib from 'lib.bicep'\ntype pair = [int, size]\nvar a size = 'small'\nvar b pair = [1, preferred]\nvar c lib.size[] = [for x in [a]: x]\nparam p = { a: a, b: b, c: c }\n",
      { files },
    );
    assert.deepEqual(Object.keys(value), ["$schema", "contentVersion", "parameters"]);
    assert.deepEqual(value.parameters, { p: { value: { a: "small", b: [1, "large"], c: ["small"] } } });
  });

  const configurations: readonly (readonly [configuration: string, expression: string])[] = [
    ["{}", "[createObject()]"],
    [
      "{\n  mode: 'deployment'\n  'odd-${v}': [true, null, -1]\n}",
      "[createObject('mode', 'deployment', 'odd-x', createArray(true(), null(), -1))]",
    ],
    ["{ ...o, b: 2 }", "[createObject('a', 1, 'b', 2)]"],
    [
      "{ scope: '/subscriptions/${externalInput('sys.cli', 'id')}', again: p, v: v }",
      "[createObject('scope', format('/subscriptions/{0}', externalInputs('sys_cli_1')), 'again', externalInputs('sys_cli_0'), 'v', 'x')]",
    ],
  ];
  for (const [configuration, expression] of configurations) {
    it(`tell how to deploy in one expression: ${expression}`, () => {
      const { diagnostics, value } = compileParameters(
        `using 'main.bicep' with ${configuration}\nvar v = 'x'\nvar o = { a: 1 }\nparam p = externalInput('sys.cli', 'p')\n`,
        { features: ["deployCommands"], files: { "/main.bicep": "param p string\n" } },
      );
      assert.deepEqual(diagnostics, []);
      assert.deepEqual(value.usingConfig, { expression });
      const inputs = expression.includes("sys_cli_1") ? ["sys_cli_0", "sys_cli_1"] : ["sys_cli_0"];
      assert.deepEqual(Object.keys(value.externalInputDefinitions), inputs);
    });
  }

  it("do not inherit how to deploy", () => {
    const { value } = compileParameters("using none\nextends 'base.bicepparam'\nparam p = 1\n", {
      features: ["deployCommands"],
      files: { "/base.bicepparam": "using none with {\n  scope: externalInput('x')\n}\n" },
    });
    assert.deepEqual(Object.keys(value), ["$schema", "contentVersion", "parameters"]);
  });

  it("configure extensions, in the order of names", () => {
    const { value } = compileParameters(
      "using 'main.bicep'\nextensionConfig k8s with {\n  namespace: toLower('N')\n  kubeConfig: getSecret('s', 'g', 'v', 'n')\n}\nextensionConfig a with {}\n",
      {
        features: ["moduleExtensionConfigs"],
        files: { "/main.bicep": "extension kubernetes as k8s\nextension kubernetes as a\n" },
      },
    );
    assert.deepEqual(Object.keys(value.extensionConfigs), ["a", "k8s"]);
    assert.deepEqual(value.extensionConfigs.k8s, {
      kubeConfig: {
        keyVaultReference: {
          keyVault: { id: "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v" },
          secretName: "n",
        },
      },
      namespace: { value: "n" },
    });
  });
});

describe("external inputs", () => {
  it("leave expressions in which everything else is evaluated", () => {
    const lib = "@export()\nfunc wrap(x string, y string) object => { x: x, y: toUpper(y), n: 1, l: [true] }\n";
    const { value } = compileParameters(
      `using none
import { wrap } from 'lib.bicep'
var known = 'k'
var waiting = externalInput('sys.cli', 'w')
param a = externalInput('sys.cli', 'a')
param b = '\${toUpper(known)}-\${waiting}'
param c = [a, { x: length([1, 2]), y: a }]
param d = map(a, x => '\${x}\${known}')
param e = wrap(a, known)
param f = a.b[0][known]
param g = known
param h = map(['p'], x => wrap(x, a))
param i = sys.externalInput('sys.cli', 'a')
param j = externalInput('odd & kind', { x: [1] })
`,
      { files: { "/lib.bicep": lib } },
    );
    assert.deepEqual(value.parameters, {
      a: { expression: "[externalInputs('sys_cli_0')]" },
      b: { expression: "[format('{0}-{1}', 'K', externalInputs('sys_cli_2'))]" },
      c: {
        expression:
          "[createArray(externalInputs('sys_cli_0'), createObject('x', 2, 'y', externalInputs('sys_cli_0')))]",
      },
      d: { expression: "[map(externalInputs('sys_cli_0'), lambda('x', format('{0}{1}', lambdaVariables('x'), 'k')))]" },
      e: {
        expression: "[createObject('x', externalInputs('sys_cli_0'), 'y', 'K', 'n', 1, 'l', createArray(true()))]",
      },
      f: { expression: "[externalInputs('sys_cli_0').b[0]['k']]" },
      g: { value: "k" },
      h: {
        expression:
          "[map(createArray('p'), lambda('x', createObject('x', lambdaVariables('x'), 'y', toUpper(externalInputs('sys_cli_0')), 'n', 1, 'l', createArray(true()))))]",
      },
      i: { expression: "[externalInputs('sys_cli_0')]" },
      j: { expression: "[externalInputs('odd___kind_1')]" },
    });
    assert.deepEqual(value.externalInputDefinitions, {
      odd___kind_1: { kind: "odd & kind", config: { x: [1] } },
      sys_cli_0: { kind: "sys.cli", config: "a" },
      sys_cli_2: { kind: "sys.cli", config: "w" },
    });
    assert.deepEqual(Object.keys(value.externalInputDefinitions), ["odd___kind_1", "sys_cli_0", "sys_cli_2"]);
  });

  it("have short forms for arguments and variables of the command line", () => {
    const { value } = compileParameters("using none\nparam a = readCliArg('x')\nparam b = readEnvVar('y')\n", {
      features: ["deployCommands"],
    });
    assert.deepEqual(value.externalInputDefinitions, {
      sys_cliArg_0: { kind: "sys.cliArg", config: "x" },
      sys_envVar_1: { kind: "sys.envVar", config: "y" },
    });
  });
});
