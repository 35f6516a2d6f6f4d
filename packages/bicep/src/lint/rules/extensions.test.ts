import assert from "node:assert/strict";
import { it } from "node:test";
import { contosoFiles } from "../../limits/testing/contoso.ts";
import { findings } from "../testing/findings.ts";
import type { FindingRow } from "../testing/findings.ts";

const secret = "@secure()\nparam s string\nparam p string\n";
const vault = "resource kv 'Microsoft.KeyVault/vaults@2019-09-01' existing = {\n  name: 'kv'\n}\n";

const tables: Readonly<Record<string, readonly FindingRow[]>> = {
  "use-secure-value-for-secure-inputs": [
    [
      "a secret that is given in the open",
      `${secret}extension contoso\nresource q 'Contoso/queues@1' = {\n  name: 'q'\n  text: p\n  secret: p\n}\n`,
      "p",
    ],
    [
      "secure, empty and run-time values are fine",
      `${secret}extension contoso\nresource a 'Contoso/queues@1' = {\n  name: 'a'\n  secret: s\n}\nresource b 'Contoso/queues@1' = {\n  name: 'b'\n  secret: ''\n}\nresource c 'Contoso/queues@1' = {\n  name: 'c'\n  secret: a.text\n}\n`,
    ],
  ],
  "stacks-extensibility-compat": [
    [
      "a stack takes secrets from key vaults, and nothing else from there",
      `${secret}${vault}extension contoso with {\n  token: s\n  region: p\n} as c\nmodule a 'm.bicep' = {\n  name: 'a'\n  extensionConfigs: {\n    c: {\n      token: kv.getSecret('x')\n      region: kv.getSecret('y')\n    }\n  }\n}\n`,
      "s",
      "kv.getSecret('y')",
    ],
    [
      "a secret of the file's own extension may be handed on",
      `extension contoso as c\nmodule a 'm.bicep' = {\n  name: 'a'\n  extensionConfigs: {\n    c: {\n      token: c.config.token\n    }\n  }\n}\nmodule b 'm.bicep' = {\n  name: 'b'\n  extensionConfigs: {\n    c: {\n      token: true ? c.config.token : 'x'\n    }\n  }\n}\n`,
      "true ? c.config.token : 'x'",
    ],
  ],
};

const files = { ...contosoFiles, "m.bicep": "extension contoso as c\n" };

for (const [rule, rows] of Object.entries(tables)) {
  for (const [sentence, source, ...found] of rows) {
    it(`${rule}: ${sentence}`, () => {
      assert.deepEqual(findings(rule, source, { files }), found);
    });
  }
}
