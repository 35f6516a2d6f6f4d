import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@rad/core";
import { MemoryApiClient } from "../testing/memory-api-client.ts";
import { Discovery } from "./discovery.ts";

const { signal } = new AbortController();

function resource(kind: string): JsonObject {
  return { name: `${kind.toLowerCase()}s`, kind, namespaced: true };
}

/** Serves `Widget` in both versions, and `Gadget` only in the one that is not preferred. */
function clientWithWidgets(): MemoryApiClient {
  const client = new MemoryApiClient();
  client.put("/apis", {
    metadata: { name: "example.com" },
    versions: [{ version: "v2alpha1" }, { version: "v1" }],
    preferredVersion: { version: "v1" },
  });
  client.put("/apis/example.com", { metadata: { name: "v1" }, resources: [resource("Widget")] });
  client.put("/apis/example.com", {
    metadata: { name: "v2alpha1" },
    resources: [resource("Widget"), resource("Gadget")],
  });
  return client;
}

test("one request finds all kinds of a version", async () => {
  const client = clientWithWidgets();
  const discovery = new Discovery(client);
  const find = async (kind: string): Promise<string | undefined> =>
    (await discovery.find({ group: "Example.com", version: "v2alpha1", kind }, signal))?.plural;

  const plurals = [...(await Promise.all([find("Widget"), find("Gadget")])), await find("gadget")];

  assert.deepEqual(plurals, ["widgets", "gadgets", "gadgets"]);
  assert.deepEqual(client.calls, ["get /apis/example.com/v2alpha1"]);
});

test("without a version, a kind is found in the first that serves it, and the preferred one comes first", async () => {
  const discovery = new Discovery(clientWithWidgets());
  const find = async (kind: string): Promise<string | undefined> =>
    (await discovery.find({ group: "example.com", kind }, signal))?.version;

  assert.deepEqual([await find("Widget"), await find("Gadget")], ["v1", "v2alpha1"]);
});

test("a kind that is not known is looked up once more", async () => {
  const client = clientWithWidgets();
  const discovery = new Discovery(client);
  const gadget = { group: "example.com", version: "v1", kind: "Gadget" };
  const before = await discovery.find(gadget, signal);
  client.put("/apis/example.com", { metadata: { name: "v1" }, resources: [resource("Gadget")] });

  const after = await discovery.find(gadget, signal);

  assert.equal(before, undefined);
  assert.equal(after?.plural, "gadgets");
  assert.equal(client.calls.length, 2);
});

test("a text that is no version of Kubernetes does not become part of a path", async () => {
  const client = clientWithWidgets();

  const found = await new Discovery(client).find({ group: "example.com", version: "..", kind: "Widget" }, signal);

  assert.equal(found, undefined);
  assert.deepEqual(client.calls, []);
});
