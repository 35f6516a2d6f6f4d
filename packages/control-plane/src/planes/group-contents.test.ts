import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { basePolicy, type ServedType, type TakeAlongRequest } from "@rad/resources";
import type { Store } from "@rad/store";
import { openTemporaryStore } from "@rad/store/testing";
import { groupContents } from "./group-contents.ts";

const group = "/planes/radius/local/resourceGroups/g";
const thing = `${group}/providers/Test.Groups/things/t`;

/** Its type has no code, or none any more. */
async function storeThing(store: Store, properties: JsonObject, operationId?: string): Promise<void> {
  const input = {
    id: thing,
    type: "Test.Groups/things",
    apiVersion: "1",
    body: { properties },
    secrets: {},
    operationId,
  };
  await store.write({ document: { kind: "put", input, expect: "any" } });
}

async function requestFor(store: Store): Promise<TakeAlongRequest> {
  const input = { id: group, type: "System.Resources/resourceGroups", apiVersion: "1", body: {}, secrets: {} };
  const document = await store.write({ document: { kind: "put", input, expect: "any" } });
  assert.ok(document);
  const type = { policy: basePolicy, handler: {} } as ServedType;
  return {
    document,
    resources: store,
    caller: { kind: "token", subject: "somebody", groups: [] },
    permissions: { allows: () => true },
    types: { resolve: async () => type, refresh: () => {} },
    write: async () => {},
  };
}

it("takes a resource along that is nothing but its document", async () => {
  await using store = await openTemporaryStore();
  await storeThing(store, { provisioningState: "Succeeded", status: { outputResources: [] } });

  const { resources } = await groupContents(await requestFor(store));

  assert.deepEqual(
    resources.map(({ id }) => id),
    [thing],
  );
});

it("leaves a resource that made others elsewhere", async () => {
  await using store = await openTemporaryStore();
  const outputResources = [{ id: "/planes/kubernetes/local/namespaces/n/providers/core/Secret/s" }];
  await storeThing(store, { provisioningState: "Succeeded", status: { outputResources } });

  await assert.rejects(groupContents(await requestFor(store)), { code: "Conflict" });
});

it("leaves a resource that is being worked on, also without code", async () => {
  await using store = await openTemporaryStore();
  await storeThing(store, { provisioningState: "Succeeded" }, "0b8e7c1e-0000-4000-8000-000000000000");
  await assert.rejects(groupContents(await requestFor(store)), { code: "Conflict" });

  await storeThing(store, { provisioningState: "Updating" });
  await assert.rejects(groupContents(await requestFor(store)), { code: "Conflict" });
});
