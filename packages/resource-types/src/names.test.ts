import assert from "node:assert/strict";
import { test } from "node:test";
import { checkName } from "./names.ts";
import type { NameKind } from "./names.ts";

const table: Readonly<Record<NameKind, { good: readonly string[]; bad: readonly string[] }>> = {
  plane: { good: ["local", "a", "a-1"], bad: ["", "-a", "a-", "1a", "a_b", "a.b", "a\n", "ä"] },
  resourceGroup: { good: ["dev", "A", "my-group"], bad: ["", "a/b", "a b", "my_group", "a(b)", "x".repeat(64)] },
  resource: { good: ["web", "x".repeat(63)], bad: ["", "x".repeat(64), "web-", "__proto__"] },
  providerNamespace: {
    good: ["Contoso.Data", "a1.b2", "My-Corp.Data"],
    bad: ["", "Contoso", "Contoso.", ".Data", "C.D", "Contoso.Data.More", "Contoso.Data-", "1a.bc"],
  },
  resourceType: { good: ["queues", "ab", "my-type"], bad: ["", "a", "1a", "a-", "a.b"] },
  apiVersion: {
    good: ["2025-01-01", "2025-01-01-preview"],
    bad: ["", "2025-1-1", "2025-01-01-beta", "v1", "2025-01-01\n", "٢٠٢٥-01-01"],
  },
  location: { good: ["global", "eastus2"], bad: ["", "east-us", "2east"] },
  capability: { good: ["ManualResourceProvisioning"], bad: ["", "manualResourceProvisioning", "SupportsRecipes"] },
};

for (const kind of Object.keys(table) as NameKind[]) {
  test(`names of the kind ${kind} are checked`, () => {
    for (const name of table[kind].good) {
      assert.equal(checkName(kind, name), undefined);
    }
    for (const name of table[kind].bad) {
      assert.match(checkName(kind, name) ?? "accepted", /^The .*\.$/, name);
    }
  });
}
