import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import type { Store, StoredDocument } from "@rad/store";
import { carriedOver, withResults } from "./carried-over.ts";

const secrets = { "/properties/token": "t", "/properties/password": "p", "/properties/status/key": "k" };
let asked = 0;
const store = {
  secrets: async () => {
    asked += 1;
    return secrets;
  },
} as unknown as Store;

function stored(properties: JsonObject): StoredDocument {
  return { id: "/x", body: { properties } } as unknown as StoredDocument;
}

it("carries status and read-only members over, with their sealed values and no others", async () => {
  const document = stored({ size: 1, password: null, token: null, status: { key: null }, provisioningState: "Failed" });

  const carried = await carriedOver(store, document, { size: 1, password: null });

  assert.deepEqual(carried, {
    properties: { token: null, status: { key: null } },
    secrets: { "/properties/token": "t", "/properties/status/key": "k" },
  });
});

it("does not read sealed values when nothing that is carried over has any", async () => {
  asked = 0;

  const carried = await carriedOver(store, stored({ password: null, host: "h" }), { password: null });

  assert.deepEqual(carried, { properties: { host: "h" }, secrets: {} });
  assert.equal(asked, 0);
});

it("finds read-only members inside of objects that the client sets", async () => {
  const document = stored({ access: { user: "u", url: "made" } });

  const { properties } = await carriedOver(store, document, { access: { user: "u" } });

  assert.deepEqual(properties, { access: { url: "made" } });
  assert.deepEqual(withResults({ access: { user: "other" } }, properties), { access: { user: "other", url: "made" } });
});

it("lets what is asked for win over earlier results", () => {
  assert.deepEqual(withResults({ host: "wanted" }, { host: "earlier", port: 1 }), { host: "wanted", port: 1 });
});

it("carries members over that are named like what every object has", async () => {
  const { properties } = await carriedOver(store, stored({ access: { user: "u", toString: "made" } }), {
    access: { user: "u" },
  });

  assert.deepEqual(withResults({ access: { user: "other" } }, properties), {
    access: { user: "other", toString: "made" },
  });
});
