import assert from "node:assert/strict";
import { it } from "node:test";
import { checkSource } from "./testing/check-source.ts";
import type { Row } from "./testing/check-source.ts";

const template = "param required string\nparam optional int = 1\nparam list string[]?\nparam size { width: int }?";
const options = {
  params: true,
  files: {
    "main.bicep": template,
    "bad.bicep": "var a = nope",
    "base.bicepparam": "using none\nparam required = 'x'",
    "lib.bicep":
      "@export()\nvar text = 'hello'\n@export()\ntype size = 'small' | 'large'\n@export()\ntype box = { size: size, depth: int? }",
  },
  environment: { NAME: "value" },
};

const configurable = {
  ...options,
  files: {
    "bicepconfig.json": '{ "experimentalFeaturesEnabled": { "moduleExtensionConfigs": true } }',
    "extended.bicep": "extension kubernetes as k8s\nextension kubernetes as other",
  },
};

const deployable = {
  ...options,
  files: { ...options.files, "bicepconfig.json": '{ "experimentalFeaturesEnabled": { "deployCommands": true } }' },
};

const rows: readonly Row[] = [
  ["a parameters file is for a template", "param a = 1", ["1:1 BCP261"], options],
  [
    "it is for one template",
    "using 'main.bicep'\nusing none\nparam required = 'x'",
    ["1:1 BCP262", "2:1 BCP262"],
    options,
  ],
  ["it can be for none", "using none\nparam anything = 1", [], options],
  ["required parameters are assigned", "using 'main.bicep'", ["1:7 BCP258"], options],
  ["null assigns nothing", "using 'main.bicep'\nparam required = null", ["1:7 BCP258"], options],
  [
    "only parameters of the template are assigned",
    "using 'main.bicep'\nparam required = 'x'\nparam other = 1",
    ["3:1 BCP259"],
    options,
  ],
  [
    "a parameter is assigned once",
    "using 'main.bicep'\nparam required = 'x'\nparam required = 'y'",
    ["2:7 BCP028", "3:7 BCP028"],
    options,
  ],
  [
    "values have the parameter's type",
    "using 'main.bicep'\nparam required = 1\nparam list = [1]\nparam size = { width: 'x', depth: 2 }",
    ["2:18 BCP033", "3:15 BCP034", "4:23 BCP036", "4:28 BCP037W"],
    options,
  ],
  ["a template with errors says so", "using 'bad.bicep'", ["1:7 BCP104"], options],
  ["a missing template is reported", "using 'nope.bicep'", ["1:7 BCP091"], options],
  [
    "variables and other parameters can be used",
    "using 'main.bicep'\nvar v = 'x'\nparam required = '${v}${optional}'\nparam optional = 2",
    [],
    options,
  ],
  [
    "another file can be extended",
    "using 'main.bicep'\nextends 'base.bicepparam'\nparam optional = 2\nparam list = [base.required]",
    [],
    options,
  ],
  ["base needs a file to extend", "using 'main.bicep'\nparam required = base.required", ["2:18 BCP437"], options],
  ["base is reserved", "using none\nvar base = 1", ["2:5 BCP438"], options],
  [
    "one file is extended",
    "using 'main.bicep'\nextends 'base.bicepparam'\nextends 'base.bicepparam'",
    ["2:1 BCP405", "3:1 BCP405"],
    options,
  ],
  [
    "variables can be imported",
    "using 'main.bicep'\nimport { text, nope } from 'lib.bicep'\nparam required = text",
    ["2:16 BCP360"],
    options,
  ],
  [
    "types can be declared and imported, and variables can have them",
    "using 'main.bicep'\nimport { size, box as crate } from 'lib.bicep'\nimport * as lib from 'lib.bicep'\ntype pair = [int, size]\nvar a size = 'small'\nvar b crate = { size: a }\nvar c lib.box[] = [b]\nvar d pair = [1, 'large']\nvar e { *: string } = { x: '${length(c)}${d[0]}' }\nparam required = e.x",
    [],
    options,
  ],
  [
    "typed variables are held to their types",
    "using 'main.bicep'\nimport { size, box } from 'lib.bicep'\ntype pair = [int, size]\nvar a size = 'huge'\nvar b box = { size: 'small', depth: 'x' }\nvar c pair = ['x', 'small']\nvar d int = 'x'\nvar e nope = 1\nparam required = 'x'",
    ["4:14 BCP033", "5:37 BCP036", "6:15 BCP034", "7:13 BCP033", "8:7 BCP302"],
    options,
  ],
  [
    "imported types are no values",
    "using 'main.bicep'\nimport { size } from 'lib.bicep'\nparam required = size",
    ["3:18 BCP288"],
    options,
  ],
  [
    "the deployment is not configured without its feature",
    "using 'main.bicep' with {\n  mode: 'deployment'\n}\nparam required = 'x'",
    ["1:20 BCP435"],
    options,
  ],
  [
    "the configuration of the deployment has ordinary values",
    "using 'main.bicep' with {\n  mode: toLower('${nope}')\n  scope: '${v}${required}${externalInput('kind')}'\n}\nvar v = 'x'\nparam required = 'x'",
    ["2:20 BCP057"],
    deployable,
  ],
  [
    "environment variables are read",
    "using 'main.bicep'\nparam required = readEnvironmentVariable('NAME')\nparam optional = int(readEnvironmentVariable('NOPE'))",
    ["3:46 BCP427"],
    options,
  ],
  [
    "functions of templates are not there",
    "using 'main.bicep'\nparam required = resourceGroup().name",
    ["2:18 BCP057"],
    options,
  ],
  [
    "secrets are whole values",
    "using 'main.bicep'\nparam required = '${getSecret('a', 'b', 'c', 'd')}'",
    ["2:21 BCP351"],
    options,
  ],
  [
    "secrets can be branches",
    "using 'main.bicep'\nparam required = true ? getSecret('a', 'b', 'c', 'd') : 'x'",
    [],
    options,
  ],
  [
    "external inputs are asked for by constants",
    "using 'main.bicep'\nvar v = 'a'\nparam required = externalInput(v)",
    ["3:32 BCP032"],
    options,
  ],
  [
    "extensions are not configured without their feature",
    "using 'main.bicep'\nparam required = 'x'\nextensionConfig e with {}",
    ["3:1 BCP337"],
    options,
  ],
  [
    "configurations of extensions have ordinary values, and secrets as whole ones",
    "using 'extended.bicep'\nextensionConfig k8s with {\n  namespace: toLower('${nope}')\n  kubeConfig: az.getSecret('a', 'b', 'c', 'd')\n}\nextensionConfig other with {\n  namespace: readEnvironmentVariable('NAME')\n  kubeConfig: toLower(getSecret('a', 'b', 'c', 'd'))\n}",
    ["3:25 BCP057", "8:23 BCP351"],
    configurable,
  ],
  [
    "decorators are not allowed",
    "using 'main.bicep'\n@description('x')\nparam required = 'x'",
    ["2:1 BCP130"],
    options,
  ],
];

for (const [rule, source, found, options] of rows) {
  it(rule, () => {
    assert.deepEqual(checkSource(source, options), found);
  });
}
