import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonValue } from "@rad/core";
import { resourceIdsOf } from "./resource-ids.ts";
import { resource, stateOf } from "./state-builder.ts";

const group = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/shop";

function idsOf(id: JsonValue, sensitive: JsonValue = {}): { ids: readonly string[]; skipped: string[] } {
  const skipped: string[] = [];
  const state = stateOf({ resources: [resource("azurerm_thing", { id }, { sensitive_values: sensitive })] });
  const ids = resourceIdsOf(state, { onSkipped: (address, reason) => skipped.push(`${address}: ${reason}`) });
  return { ids, skipped };
}

for (const [what, id] of [
  ["a resource", `${group}/providers/Microsoft.Cache/redis/r`],
  ["a child", `${group}/providers/Microsoft.Storage/storageAccounts/a/blobServices/default/containers/c`],
  ["a Cosmos DB account", `${group}/providers/Microsoft.DocumentDB/databaseAccounts/orders-db`],
  [
    "a Cosmos DB database",
    `${group}/providers/Microsoft.DocumentDB/databaseAccounts/orders-db/mongodbDatabases/orders`,
  ],
  ["an extension resource", `${group}/providers/Microsoft.Cache/redis/r/providers/Microsoft.Authorization/locks/l`],
  ["a resource of a subscription", "/subscriptions/s/providers/Microsoft.Authorization/roleAssignments/a"],
  ["a management group", "/providers/Microsoft.Management/managementGroups/m"],
  [
    "a resource of a management group",
    "/providers/Microsoft.Management/managementGroups/m/providers/Microsoft.Authorization/policyAssignments/p",
  ],
  ["a resource of the tenant", "/providers/Microsoft.Authorization/roleAssignments/a"],
  ["another case", "/subscriptions/S/resourcegroups/G/providers/microsoft.network/dnszones/Example.com"],
  ["capitals throughout", `${group}/providers/Microsoft.Cache/redis/r`.toUpperCase()],
  ["two capitals", `${group}/Providers/Microsoft.Cache/redis/r/Providers/Microsoft.Authorization/locks/l`],
  ["a name with special characters", `${group}/providers/Microsoft.Logic/workflows/Insights(ws);rev=1 é%20'`],
] as const) {
  it(`the ARM id of ${what} is taken unchanged`, () => {
    assert.deepEqual(idsOf(id), { ids: [id], skipped: [] });
  });
}

for (const [what, id] of [
  ["a resource group", group],
  ["a subscription", "/subscriptions/00000000-0000-0000-0000-000000000001"],
  ["a provider without a type", "/subscriptions/s/providers/Microsoft.Cache"],
  ["a collection", `${group}/providers/Microsoft.Cache/redis`],
  ["a secret of a key vault", "https://kv.vault.azure.net/secrets/x/0123"],
  ["a blob container of version 3", "https://acct.blob.core.windows.net/c"],
  ["a plain name", "orders"],
  ["a GUID", "00000000-0000-0000-0000-000000000002"],
  ["an association", `${group}/providers/Microsoft.Cache/redis/r|${group}/providers/Microsoft.Cache/redis/s`],
  ["an association with a name", `${group}/providers/Microsoft.Insights/components/c|setting`],
  ["an empty segment", `${group}/providers/Microsoft.Cache//redis/r`],
  ["a final slash", `${group}/providers/Microsoft.Cache/redis/r/`],
  ["a leading double slash", "//providers/Microsoft.Cache/redis/r"],
  ["a control character", `${group}/providers/Microsoft.Cache/redis/r\n`],
  ["half a surrogate pair", `${group}/providers/Microsoft.Cache/redis/\ud800`],
  ["an id of another plane", "/planes/radius/local/resourceGroups/g/providers/Applications.Core/extenders/e"],
  ["no id", null],
  ["an empty id", ""],
  ["a number", 7],
] as const) {
  it(`${what} gives no id`, () => {
    const { ids, skipped } = idsOf(id);
    assert.deepEqual(ids, []);
    assert.match(skipped.join("\n"), /^azurerm_thing\.x: it[^\n]+$/u);
  });
}

it("an id that Terraform marks as sensitive is not shown", () => {
  const { ids, skipped } = idsOf(`${group}/providers/Microsoft.Cache/redis/canary-7f`, { id: true });
  assert.deepEqual(ids, []);
  assert.doesNotMatch(skipped.join(), /canary/u);
});

it("an association that repeats the id of its subnet adds nothing, whatever its case", () => {
  const subnet = `${group}/providers/Microsoft.Network/virtualNetworks/v/subnets/s`;
  const state = stateOf({
    resources: [
      resource("azurerm_subnet", { id: subnet }),
      resource("azurerm_subnet_nat_gateway_association", { id: subnet.toUpperCase() }),
    ],
  });
  assert.deepEqual(resourceIdsOf(state, {}), [subnet]);
});
