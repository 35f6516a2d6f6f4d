import assert from "node:assert/strict";
import { it } from "node:test";
import { contosoFiles } from "./testing/contoso.ts";
import { limitsOf } from "./testing/limits-of.ts";
import type { LimitRow } from "./testing/limits-of.ts";

const queue = "extension contoso\nresource q 'Contoso/queues@1' = {\n  name: 'q'\n}\n";

const rows: readonly LimitRow[] = [
  [
    "of an extension's resource only what identifies it is known in advance",
    `${queue}resource a 'Contoso/queues@1' = if (q.name == 'q') {\n  name: q.name\n}\nresource b 'Contoso/queues@1' = if (q.id == 'q') {\n  name: q.text\n}\noutput o array = [for x in [1]: q.text]\nvar v = [for x in [q.secret]: 1]\n`,
    "BCP177 q.id",
    "BCP120 q.text",
    "BCP178 q.secret",
  ],
  [
    "the configuration of an extension is known in advance",
    "resource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n}\nvar v = r.properties.x\nextension contoso with {\n  region: r.properties.x\n  token: v\n} as c\n",
    "BCP444 r.properties",
    "BCP444 v",
  ],
  [
    "names and scopes of other providers are their own business",
    "extension contoso\nresource a 'Contoso/queues@1' = {\n  name: 'a/b/c'\n}\nresource b 'Contoso/queues@1' = {\n  name: 'a/b/c'\n}\n",
  ],
  [
    "a loop over an extension's resource varies what identifies it",
    "extension contoso\nresource a 'Contoso/queues@1' = [for x in [1]: {\n  name: 'a'\n  text: '${x}'\n}]\n",
    "BCP179 a",
  ],
  [
    "some types can only be read, or only elsewhere be deployed",
    "extension contoso\nresource a 'Contoso/facts@1' = {\n  name: 'a'\n}\nresource b 'Contoso/reports@1' = {\n  name: 'b'\n}\nresource c 'Contoso/facts@1' existing = {\n  name: 'c'\n}\n",
    "BCP245 'Contoso/facts@1'",
    "BCP246 'Contoso/reports@1'",
  ],
  [
    "some types cannot be looked up",
    "extension contoso\nresource a 'Contoso/orders@1' = {\n  name: 'a'\n}\nresource b 'Contoso/orders@1' existing = {\n  name: 'b'\n}\n",
    "BCP441 'Contoso/orders@1'",
  ],
  [
    "the extension configurations of a module are written out",
    "extension contoso as c\nmodule m 'm.bicep' = {\n  name: 'm'\n  extensionConfigs: {\n    ...{}\n    c: {\n      ...{}\n    }\n  }\n}\n",
    "BCP401 ...{}",
    "BCP401 ...{}",
  ],
];

const files = { ...contosoFiles, "m.bicep": "extension contoso as c\n" };

for (const [sentence, source, ...found] of rows) {
  it(sentence, () => {
    assert.deepEqual(limitsOf(source, files), found);
  });
}
