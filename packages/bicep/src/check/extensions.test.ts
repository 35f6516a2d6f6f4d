import assert from "node:assert/strict";
import { it } from "node:test";
import { checkSource } from "./testing/check-source.ts";
import type { Row } from "./testing/check-source.ts";

const declared = "extension kubernetes with {\n  kubeConfig: 'x'\n  namespace: 'default'\n} as k8s\n";
const configurable = {
  files: {
    "bicepconfig.json": '{ "experimentalFeaturesEnabled": { "moduleExtensionConfigs": true } }',
    "m.bicep": "extension kubernetes as k8s",
  },
};

const rows: readonly Row[] = [
  ["an unknown extension is reported", "extension nope", ["1:11 BCP204"]],
  [
    "an extension that is configured as built in is",
    "extension mine",
    ["1:1 BCP398"],
    { files: { "bicepconfig.json": '{ "extensions": { "mine": "builtin:" } }' } },
  ],
  ["an extension is named in plain text", "extension 'a${1}'", ["1:11 BCP303"]],
  [
    "a configuration is compared with its type",
    "extension kubernetes with {\n  kubeConfig: 1\n  namespace: 'x'\n}",
    ["2:15 BCP036"],
  ],
  ["a required configuration is given", "extension kubernetes", ["1:1 BCP206"]],
  ["required members of a configuration are given", "extension kubernetes with {}", ["1:27 BCP035"]],
  ["an extension without configuration takes none", "extension aws with {}", ["1:20 BCP205"]],
  [
    "a configuration is made of constants and parameters",
    "extension kubernetes with {\n  kubeConfig: concat('a', 'b')\n  namespace: newGuid()\n}",
    ["2:15 BCP152", "3:14 BCP065"],
  ],
  [
    "an extension is no value",
    `${declared}output a object = k8s\noutput b string = k8s.config.namespace\nvar c = k8s`,
    ["5:19 BCP033", "5:19 BCP418", "6:19 BCP418", "7:9 BCP041", "7:9 BCP418"],
  ],
  [
    "configurations are passed on to modules",
    `${declared}module m 'm.bicep' = {\n  extensionConfigs: {\n    k8s: k8s.config\n  }\n}`,
    [],
    configurable,
  ],
  [
    "what is passed on is a configuration",
    `${declared}param p object\nmodule m 'm.bicep' = {\n  extensionConfigs: {\n    k8s: p\n  }\n}`,
    ["8:5 BCP431"],
    configurable,
  ],
  [
    "types of extensions are resources",
    `extension radius\nresource a 'Applications.Core/applications@2023-10-01-preview' = {\n  name: 'a'\n}\noutput id string = a.id`,
    [],
  ],
];

for (const [rule, source, found, options] of rows) {
  it(rule, () => {
    assert.deepEqual(checkSource(source, options), found);
  });
}
