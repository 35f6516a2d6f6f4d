import assert from "node:assert/strict";
import { it } from "node:test";
import { ResourceId } from "@rad/core";
import type { Store, StoredDocument } from "@rad/store";
import { openTemporaryStore } from "@rad/store/testing";
import type { ResourceHandler } from "../resource-handler.ts";
import { guardReferenced, withReferencedBy } from "./referenced.ts";
import { changedReferences } from "./referring.ts";

const group = "/planes/radius/local/resourceGroups/g/providers/Test.References";
const target = `${group}/settings/s`;
const user = ResourceId.parse(`${group}/users/u`);
const referred: ResourceHandler = { isReferenced: true };
const referring: ResourceHandler = { references: () => [target] };

async function put(store: Store, id: string): Promise<StoredDocument> {
  const input = { id, type: ResourceId.parse(id).type, apiVersion: "1", body: { properties: {} }, secrets: {} };
  const document = await store.write({ document: { kind: "put", input, expect: "any" } });
  assert.ok(document);
  return document;
}

const refer = (store: Store): Promise<unknown> =>
  store.write(changedReferences(referring, { id: user, apiVersion: "1", properties: {} }, undefined));

it("a resource in use shows who uses it, and is not deleted", async () => {
  await using store = await openTemporaryStore();
  const document = await put(store, target);
  await put(store, user.toString());
  await refer(store);

  const shown = await withReferencedBy(referred, document, store);

  assert.deepEqual(shown, { properties: { referencedBy: [user.toString()] } });
  await assert.rejects(guardReferenced(referred, document, store), { code: "Conflict" });
});

it("a reference whose owner is gone does not keep its target", async () => {
  await using store = await openTemporaryStore();
  const document = await put(store, target);
  await refer(store);

  const { also, guards } = await guardReferenced(referred, document, store);
  await store.write({ document: { kind: "remove", id: target, expect: { etag: document.etag } }, also, guards });

  assert.equal(await store.get(target), undefined);
  assert.deepEqual((await store.list({ under: "/references" })).items, []);
});

it("a reference that is written anew meanwhile is not taken for the one whose owner was gone", async () => {
  await using store = await openTemporaryStore();
  const document = await put(store, target);
  await refer(store);

  const { also, guards } = await guardReferenced(referred, document, store);
  await put(store, user.toString());
  await refer(store);

  await assert.rejects(
    store.write({ document: { kind: "remove", id: target, expect: { etag: document.etag } }, also, guards }),
    { code: "EtagMismatch" },
  );
  assert.notEqual(await store.get(target), undefined);
});

it("a resource is not written once what it refers to is gone", async () => {
  await using store = await openTemporaryStore();

  await assert.rejects(refer(store), { code: "GuardFailed" });
  assert.deepEqual((await store.list({ under: "/references" })).items, []);
});
