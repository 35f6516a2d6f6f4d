import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { builtInTypes, namespacePolicies } from "@rad/radius-types";
import { TypeModules } from "@rad/resources";
import { silentLogger, systemClock } from "@rad/core";
import { openSqliteStore, type Store } from "@rad/store";
import { loadServerConfig, type ServerConfig } from "./config/index.ts";
import { initialize } from "./initialization.ts";
import { builtInPlanes } from "./planes/built-in-planes.ts";
import { PlaneTable } from "./planes/plane-table.ts";
import { providerId, readProvider } from "@rad/resources";

let folder: string;
let store: Store;
let config: ServerConfig;

const manifest = `
namespace: Contoso.Data
types:
  queues:
    description: A message queue
    apiVersions:
      "2025-01-01":
        schema: { type: object, properties: { depth: { type: integer } } }
`;

const azurePlane = {
  id: "/planes/azure/azurecloud",
  type: undefined,
  name: undefined,
  properties: { url: "https://management.azure.com", kind: "Azure" },
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "initialization-test-"));
  store = await openSqliteStore({ directory: join(folder, "data"), log: silentLogger });
  await writeFile(join(folder, "queues.yaml"), manifest);
  await writeFile(join(folder, "queues.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  config = loadServerConfig({
    env: {},
    overrides: {
      initialization: {
        manifestDirectory: folder,
        planes: [azurePlane],
      },
    },
  });
});
after(async () => {
  await store[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const modules = new TypeModules(builtInTypes, namespacePolicies);
const planes = new PlaneTable(builtInPlanes);
const run = (): Promise<void> =>
  initialize({ store, config, clock: systemClock, log: silentLogger, planes, types: modules });
const everything = async (): Promise<string[]> =>
  (await store.list({ under: "/planes" })).items.map((item) => `${item.id} ${item.etag}`);

it("creates planes and registers a folder's manifests with their icons", async () => {
  await run();

  const view = await readProvider(store, "/planes/radius/local", "Contoso.Data");
  assert.deepEqual(
    view?.types.map((type) => [type.name, [...type.apiVersions.keys()]]),
    [["queues", ["2025-01-01"]]],
  );
  assert.match(view?.types[0]?.document.json ?? "", /"icon":"<svg/);
  const azure = await store.get("/planes/azure/azurecloud");
  assert.deepEqual(azure?.body["properties"], {
    url: "https://management.azure.com",
    provisioningState: "Succeeded",
  });
});

it("puts what it changes on record", async () => {
  const records = await store.audit.list({ limit: 1_000 });

  const queue = `${providerId("/planes/radius/local", "Contoso.Data")}/resourceTypes/queues`;
  assert.deepEqual(
    records.filter(({ target }) => target === queue).map(({ caller, phase, action }) => [caller, phase, action]),
    [
      ["system", "intent", "System.Resources/resourceProviders/resourceTypes/write"],
      ["system", "outcome", "System.Resources/resourceProviders/resourceTypes/write"],
    ],
  );
  assert.ok(records.some(({ target }) => target === azurePlane.id));
});

it("changes nothing when it runs again", async () => {
  await run();
  const before = await everything();

  await run();

  assert.deepEqual(await everything(), before);
});

it("keeps types that were added to a namespace of the folder", async () => {
  await run();
  const id = `${providerId("/planes/radius/local", "Contoso.Data")}/locations/global`;
  const location = await store.get(id);
  assert.ok(location !== undefined);
  const resourceTypes = { queues: { apiVersions: {} }, mine: { apiVersions: { "2025-01-01": {} } } };
  const body = { ...location.body, properties: { resourceTypes } };
  await store.write({
    document: { kind: "put", input: { ...location, body, secrets: "keep" }, expect: { etag: location.etag } },
  });

  await run();

  assert.deepEqual((await store.get(id))?.body["properties"], {
    resourceTypes: { queues: { apiVersions: { "2025-01-01": {} } }, mine: { apiVersions: { "2025-01-01": {} } } },
    provisioningState: "Succeeded",
  });
});

it("lets a folder add to a built-in type, and settles after the first start", async () => {
  const other = await mkdtemp(join(tmpdir(), "initialization-layers-"));
  await using own = await openSqliteStore({ directory: join(other, "data"), log: silentLogger });
  const text = `
namespace: Radius.Core
types:
  environments: { description: Ours, apiVersions: { "2030-01-01": { schema: {} } } }
  extras: { apiVersions: { "2030-01-01": { schema: {} } } }
`;
  await writeFile(join(other, "core.yaml"), text);
  const layered = loadServerConfig({ env: {}, overrides: { initialization: { manifestDirectory: other } } });
  const options = { store: own, config: layered, clock: systemClock, log: silentLogger, planes, types: modules };

  await initialize(options);
  const before = (await own.list({ under: "/planes" })).items.map((item) => `${item.id} ${item.etag}`);
  const records = await own.audit.list({ limit: 1_000 });
  await initialize(options);

  const view = await readProvider(own, "/planes/radius/local", "Radius.Core");
  const types = new Map(view?.types.map((type) => [type.name, [...type.apiVersions.keys()]]));
  assert.deepEqual(types.get("environments"), ["2025-08-01-preview", "2030-01-01"]);
  assert.deepEqual(types.get("applications"), ["2025-08-01-preview"]);
  assert.deepEqual(types.get("extras"), ["2030-01-01"]);
  assert.deepEqual(
    (await own.list({ under: "/planes" })).items.map((item) => `${item.id} ${item.etag}`),
    before,
  );
  assert.equal((await own.audit.list({ limit: 1_000 })).length, records.length);
  await rm(other, { recursive: true, force: true });
});

it("lets two processes start at once", async () => {
  const other = await mkdtemp(join(tmpdir(), "initialization-race-"));
  await using shared = await openSqliteStore({ directory: other, log: silentLogger });
  const options = { store: shared, config, clock: systemClock, log: silentLogger, planes, types: modules };

  await Promise.all([initialize(options), initialize(options)]);

  assert.ok((await readProvider(shared, "/planes/radius/local", "Contoso.Data")) !== undefined);
  await rm(other, { recursive: true, force: true });
});

it("a start with the same types looks at etags only, and keeps what a client registered again", async () => {
  const other = await mkdtemp(join(tmpdir(), "initialization-digest-"));
  await using own = await openSqliteStore({ directory: join(other, "data"), log: silentLogger });
  const start = (typesDigest: string): Promise<void> =>
    initialize({
      store: own,
      config: loadServerConfig({ env: {}, overrides: {} }),
      clock: systemClock,
      log: silentLogger,
      planes,
      types: modules,
      typesDigest,
    });
  const id = `${providerId("/planes/radius/local", "Applications.Core")}/resourceTypes/containers`;
  await start("one");
  const before = await own.get(id);
  assert.ok(before !== undefined);

  await start("one");
  const settled = await own.get(id);
  const changed = { ...before.body, properties: { description: "Mine" } };
  const input = { id, type: before.type, apiVersion: before.apiVersion, body: changed, secrets: {} };
  await own.write({ document: { kind: "put", input, expect: "any" } });
  await start("one");
  const kept = await own.get(id);
  await own.write({ document: { kind: "remove", id, expect: "any" } });
  await start("one");
  const restored = await own.get(id);
  const marker = await own.get("/system/registeredTypes");
  await start("two");

  assert.equal(settled?.etag, before.etag);
  assert.deepEqual(kept?.body, changed);
  assert.deepEqual(restored?.body, before.body);
  assert.notEqual((await own.get("/system/registeredTypes"))?.etag, marker?.etag);
  await rm(other, { recursive: true, force: true });
});
