import assert from "node:assert/strict";
import { it } from "node:test";
import { checkSource } from "./testing/check-source.ts";
import type { Row } from "./testing/check-source.ts";

const azure = `resource r 'A.B/c@2020-01-01' = {
  name: 'r'
  custom: { inner: { given: 1 } }
  properties: { inner: { given: 1 }, list: [{ given: 1 }], words: ['a'] }
}
`;
const service = `extension kubernetes with { namespace: 'default', kubeConfig: '' }
resource s 'core/Service@v1' = {
  metadata: { name: 's' }
  spec: { ports: [{ port: 80 }] }
}
`;
const conditional = `extension radius
param deployed bool
resource e 'Applications.Core/environments@2023-10-01-preview' = if (deployed) {
  name: 'e'
}
resource a 'A.B/c@2020-01-01' = if (deployed) {
  name: 'a'
}
`;

const rows: readonly Row[] = [
  [
    "members that nobody wrote are read from an open body at every depth",
    `${azure}output a string = r.properties.inner.other.more\noutput b string = r.properties.list[0].other\noutput c string = r.custom.inner.other`,
    [],
  ],
  [
    "what was written there keeps its type",
    `${azure}output a string = r.properties.inner.given\noutput b int = r.properties.list[0].given\noutput c int = r.properties.words[0]`,
    ["6:19 BCP033", "8:16 BCP033"],
  ],
  [
    "so it is for resources of extensions without a schema",
    `${service}output a int = s.spec.ports[0].nodePort\noutput b string = s.metadata.uid`,
    [],
  ],
  [
    "null leaves an optional property out",
    "param a bool\nparam s string?\nresource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n  location: s\n  tags: null\n  zones: a ? ['1'] : null\n  sku: { name: s, capacity: null }\n}",
    [],
  ],
  [
    "a required one has to be there",
    "resource r 'A.B/c@2020-01-01' = {\n  name: null\n  identity: { type: null }\n}",
    ["2:9 BCP036", "3:21 BCP036W"],
  ],
  [
    "only an Azure resource has an identity when it is not deployed",
    `${conditional}output a string = a.id\noutput b string = e.id`,
    ["10:20 BCP318W"],
  ],
];

for (const [rule, source, found, options] of rows) {
  it(rule, () => {
    assert.deepEqual(checkSource(source, options), found);
  });
}
