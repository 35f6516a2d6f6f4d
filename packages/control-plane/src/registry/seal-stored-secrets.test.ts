import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { type JsonObject, silentLogger, systemClock } from "@rad/core";
import { builtInTypes } from "@rad/radius-types";
import { TypeModules } from "@rad/resources";
import { type ListQuery, openSqliteStore, type Store } from "@rad/store";
import { findInFiles } from "../testing/find-in-files.ts";
import { startTestServer } from "../testing/test-server.ts";
import { builtInManifests } from "./built-in-manifests.ts";
import { sealStoredSecrets } from "./seal-stored-secrets.ts";

const group = "/planes/radius/local/resourceGroups/old";
const apiVersion = "2023-10-01-preview";
const idOf = (type: string, name: string): string => `${group}/providers/${type}/${name}`;
const store1 = idOf("Applications.Core/secretStores", "one");
const secretStore: JsonObject = { type: "generic", data: { token: { value: "canary-store" }, empty: {} } };
const extender: JsonObject = { environment: "/e", secrets: { sid: "canary-extender" }, from: "555" };

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "radius-seal-"));
});
after(() => rm(directory, { recursive: true, force: true }));

/** A document as it was written while its type had no schema. */
async function putClear(store: Store, type: string, name: string, properties: JsonObject): Promise<void> {
  const id = idOf(type, name);
  const body = { id, name, type, location: "global", tags: {}, properties, systemData: {} };
  await store.write({
    document: { kind: "put", input: { id, type, apiVersion, body, secrets: {} }, expect: "absent" },
  });
}

/** A database of the time before schemas: documents in clear, and text of a document that is gone. */
async function fill(store: Store): Promise<void> {
  for (const id of ["/planes/radius/local", group]) {
    const type = id === group ? "System.Resources/resourceGroups" : "System.Radius/planes";
    const body = { id, name: id.split("/").at(-1) ?? "", type, location: "global", tags: {}, properties: {} };
    await store.write({
      document: { kind: "put", input: { id, type, apiVersion, body, secrets: {} }, expect: "absent" },
    });
  }
  await putClear(store, "Applications.Core/secretStores", "one", secretStore);
  await putClear(store, "Applications.Core/extenders", "two", extender);
  await putClear(store, "Applications.Core/secretStores", "gone", { data: { token: { value: "canary-gone" } } });
  const gone = idOf("Applications.Core/secretStores", "gone");
  await store.write({ document: { kind: "remove", id: gone, expect: "any" } });
}

const types = new TypeModules(builtInTypes);
const optionsFor = (store: Store): Parameters<typeof sealStoredSecrets>[0] => ({
  store,
  clock: systemClock,
  log: silentLogger,
  manifests: builtInManifests(types, "global"),
  isNew: false,
});

it("values that were stored in clear are sealed at the next start and leave no trace in the files", async () => {
  const folder = join(directory, "old");
  {
    await using store = await openSqliteStore({ directory: folder, log: silentLogger });
    await fill(store);
  }
  assert.notDeepEqual(await findInFiles(folder, "canary-"), []);

  await using server = await startTestServer({ directory: folder });
  const found = await findInFiles(folder, "canary-");
  const shown = await server.call("GET", `${store1}?api-version=${apiVersion}`);
  const listed = await server.call("POST", `${store1}/listSecrets?api-version=${apiVersion}`);
  const other = await server.call("GET", `${idOf("Applications.Core/extenders", "two")}?api-version=${apiVersion}`);

  assert.deepEqual(found, []);
  assert.deepEqual(shown.body["properties"], { type: "generic", data: { token: { value: null }, empty: {} } });
  assert.equal(listed.status, 500); // one of its secrets has no value
  assert.deepEqual(other.body["properties"], { environment: "/e", secrets: null, from: "555" });
});

it("a start that was killed before the files were rewritten is made good by the next one", async () => {
  const folder = join(directory, "killed");
  await using store = await openSqliteStore({ directory: folder, log: silentLogger });
  await fill(store);
  const dying = through(store, { eraseReplaced: () => Promise.reject(new Error("killed")) });

  await assert.rejects(sealStoredSecrets(optionsFor(dying)), /killed/);
  assert.notDeepEqual(await findInFiles(folder, "canary-"), []);
  await sealStoredSecrets(optionsFor(store));

  assert.deepEqual(await findInFiles(folder, "canary-"), []);
  assert.deepEqual(await store.secrets(store1), { "/properties/data/token/value": "canary-store" });
});

it("two processes can seal at once, and later starts look at nothing but the marker", async () => {
  await using store = await openSqliteStore({ directory: join(directory, "twice"), log: silentLogger });
  await fill(store);

  await Promise.all([sealStoredSecrets(optionsFor(store)), sealStoredSecrets(optionsFor(store))]);
  const queries: ListQuery[] = [];
  const watched = through(store, {
    list: (query: ListQuery) => {
      queries.push(query);
      return store.list(query);
    },
    eraseReplaced: () => Promise.reject(new Error("not again")),
  });
  await sealStoredSecrets(optionsFor(watched));

  assert.deepEqual(queries, []);
  assert.deepEqual(await store.secrets(store1), { "/properties/data/token/value": "canary-store" });
});

it("tells of an upgrade before it looks at documents, and of none when there is nothing to do", async () => {
  await using store = await openSqliteStore({ directory: join(directory, "told"), log: silentLogger });
  await fill(store);
  const told: (string | undefined)[] = [];
  const onUpgrade = (): void => void told.push("upgrade");
  const watched = through(store, {
    list: (query: ListQuery) => {
      told.push(query.type);
      return store.list(query);
    },
  });

  await sealStoredSecrets({ ...optionsFor(watched), onUpgrade });
  const [first, ...looks] = told.splice(0);
  await sealStoredSecrets({ ...optionsFor(watched), onUpgrade });

  assert.equal(first, "upgrade");
  assert(looks.length > 0);
  assert.deepEqual(told, []);
});

it("a new mark in a schema is made good for the types that have it", async () => {
  await using store = await openSqliteStore({ directory: join(directory, "marks"), log: silentLogger });
  await fill(store);
  const manifests = builtInManifests(types, "global");
  const before = manifests.map((manifest) => ({
    ...manifest,
    types: manifest.types.filter(({ name }) => name !== "extenders"),
  }));

  await sealStoredSecrets({ ...optionsFor(store), manifests: before });
  assert.deepEqual(await store.secrets(idOf("Applications.Core/extenders", "two")), {});
  await sealStoredSecrets(optionsFor(store));

  assert.deepEqual(await store.secrets(idOf("Applications.Core/extenders", "two")), {
    "/properties/secrets": { sid: "canary-extender" },
  });
});

/** The store with some of its methods replaced. */
function through(store: Store, replaced: Partial<Store>): Store {
  return {
    operations: store.operations,
    audit: store.audit,
    get: (id) => store.get(id),
    recall: (id) => store.recall(id),
    list: replaced.list ?? ((query) => store.list(query)),
    write: (change) => store.write(change),
    secrets: (id) => store.secrets(id),
    reseal: () => store.reseal(),
    eraseReplaced: replaced.eraseReplaced ?? (() => store.eraseReplaced()),
    subscribe: (listener) => store.subscribe(listener),
    now: () => store.now(),
    ping: () => store.ping(),
    [Symbol.asyncDispose]: async () => {},
  };
}
