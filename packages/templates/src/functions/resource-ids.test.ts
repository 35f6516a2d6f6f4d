import assert from "node:assert/strict";
import { it } from "node:test";
import { evaluateDocument } from "../expressions/evaluate.ts";
import { functionTable } from "./pure-functions.ts";
import { createResourceIdFunctions, type ResourceIdScope } from "./resource-ids.ts";

const group: ResourceIdScope = { kind: "resourceGroup", subscriptionId: "s", resourceGroup: "g" };
const subscription: ResourceIdScope = { kind: "subscription", subscriptionId: "s" };
const managementGroup: ResourceIdScope = { kind: "managementGroup", managementGroup: "m" };
const tenant: ResourceIdScope = { kind: "tenant" };

const ids: readonly (readonly [scope: ResourceIdScope, expression: string, id: string])[] = [
  [group, "[resourceId('A.B/c', 'x')]", "/subscriptions/s/resourceGroups/g/providers/A.B/c/x"],
  [group, "[resourceId('other', 'A.B/c', 'x')]", "/subscriptions/s/resourceGroups/other/providers/A.B/c/x"],
  [group, "[resourceId('t', 'h', 'A.B/c', 'x')]", "/subscriptions/t/resourceGroups/h/providers/A.B/c/x"],
  [group, "[subscriptionResourceId('A.B/c', 'x')]", "/subscriptions/s/providers/A.B/c/x"],
  [subscription, "[resourceId('A.B/c', 'x')]", "/subscriptions/s/providers/A.B/c/x"],
  [subscription, "[resourceId('t', 'A.B/c', 'x')]", "/subscriptions/t/providers/A.B/c/x"],
  [managementGroup, "[resourceId('A.B/c', 'x')]", "/providers/A.B/c/x"],
  [tenant, "[resourceId('A.B/c', 'x')]", "/providers/A.B/c/x"],
  [tenant, "[resourceId('t', 'h', 'A.B/c', 'x')]", "/subscriptions/t/resourceGroups/h/providers/A.B/c/x"],
  [
    managementGroup,
    "[managementGroupResourceId('A.B/c', 'x')]",
    "/providers/Microsoft.Management/managementGroups/m/providers/A.B/c/x",
  ],
];

for (const [scope, expression, id] of ids) {
  it(`${expression} at the scope of a ${scope.kind} is ${id}`, () => {
    const functions = functionTable(createResourceIdFunctions(scope));

    assert.equal(evaluateDocument(expression, { functions }), id);
  });
}

it("a part that neither the arguments nor the scope give is an error", () => {
  const functions = functionTable(createResourceIdFunctions(tenant));

  assert.throws(() => evaluateDocument("[subscriptionResourceId('A.B/c', 'x')]", { functions }), {
    code: "InvalidArgument",
  });
});
