import assert from "node:assert/strict";
import { test } from "node:test";
import { type JsonObject, type JsonValue, ResourceId, silentLogger } from "@rad/core";
import type { ActionContext, ResourceReader } from "@rad/resources";
import { openTemporaryStore } from "@rad/store/testing";
import { applicationId, environmentId, inGroup } from "../testing/ids.ts";
import { getGraph, getRadiusGraph } from "./get-graph.ts";
import type { ApplicationGraph } from "./graph-shape.ts";

type Stored = Awaited<ReturnType<typeof openTemporaryStore>>;

async function put(store: Stored, id: string, properties: JsonObject): Promise<void> {
  const { type, name } = ResourceId.parse(id);
  const input = { id, type, apiVersion: "1", body: { id, name, type, properties }, secrets: {} };
  await store.write({ document: { kind: "put", input, expect: "any" } });
}

async function ask(
  store: Stored,
  action: typeof getGraph,
  { body, canRead = () => true }: { body?: JsonValue; canRead?: (id: string) => boolean } = {},
): Promise<ApplicationGraph> {
  const reader = (mayRead: (id: string) => boolean): ResourceReader => ({
    get: (id) => store.get(id),
    list: async (query) => {
      const page = await store.list(query);
      return { ...page, items: page.items.filter(({ id }) => mayRead(id)) };
    },
    secrets: async () => assert.fail("a graph needs no secrets"),
  });
  const context = {
    id: ResourceId.parse(applicationId),
    properties: { environment: environmentId },
    resources: { asRequester: reader(canRead), asServer: reader(() => true) },
    body,
    signal: new AbortController().signal,
    log: silentLogger,
  } as unknown as ActionContext;
  return (await action(context)) as ApplicationGraph;
}

const names = ({ resources }: ApplicationGraph): string[] => resources.map(({ name }) => name);

test("a graph has what names the application, in any letter case, and no resource of another one or another group", async () => {
  await using store = await openTemporaryStore();
  await put(store, inGroup("A.B/things/mine"), { application: applicationId.toUpperCase() });
  await put(store, inGroup("A.B/things/other"), { application: inGroup("Applications.Core/applications/other") });
  await put(store, inGroup("A.B/things/none"), {});
  await put(store, inGroup("A.B/things/mine/children/c"), { application: applicationId });
  await put(store, inGroup("Microsoft.Resources/deployments/d"), { application: applicationId });
  await put(store, inGroup("A.B/things/odd"), { application: [applicationId] });
  const elsewhere = inGroup("A.B/things/far").replace("resourceGroups/app", "resourceGroups/else");
  await put(store, elsewhere, { application: applicationId });

  assert.deepEqual(names(await ask(store, getGraph)), ["mine"]);
});

test("more resources than a page has are all there", async () => {
  await using store = await openTemporaryStore();
  for (let index = 0; index < 1_001; index += 1) {
    await put(store, inGroup(`A.B/things/t${index}`), { application: applicationId });
  }

  assert.equal((await ask(store, getGraph)).resources.length, 1_001);
});

test("a resource that the caller may not read is a bare id at the end of a connection, and its own edges are not told", async () => {
  await using store = await openTemporaryStore();
  const [open, hidden] = [inGroup("A.B/things/open"), inGroup("A.B/things/hidden")];
  await put(store, open, { application: applicationId, connections: { a: { source: hidden } } });
  await put(store, hidden, {
    application: applicationId,
    note: "x",
    connections: { b: { source: inGroup("A.B/things/c") } },
  });

  const graph = await ask(store, getGraph, { canRead: (id) => id !== hidden });

  assert.deepEqual(names(graph), ["hidden", "open"]);
  assert.deepEqual(graph.resources[0], {
    id: hidden,
    name: "hidden",
    type: "A.B/things",
    provisioningState: "Succeeded",
    connections: [{ id: open, direction: "Inbound" }],
    outputResources: [],
  });
});

test("the graph of Radius.Core has kinds and icon hashes, icons on request, and no variables of containers", async () => {
  await using store = await openTemporaryStore();
  const registration = (type: string): string =>
    `/planes/radius/local/providers/System.Resources/resourceProviders/Radius.Compute/resourceTypes/${type}`;
  await put(store, registration("containers"), { iconHash: "abc", icon: "<svg/>" });
  await put(store, inGroup("Radius.Compute/containers/web"), {
    application: applicationId,
    containers: { web: { image: "i", env: { PASSWORD: { value: "canary" } } }, odd: "text" },
    connections: { db: { source: "/subscriptions/s/resourceGroups/g/providers/Radius.Compute/containers/sql" } },
  });

  const plain = await ask(store, getRadiusGraph);
  const pictured = await ask(store, getRadiusGraph, { body: { includeIcons: true } });

  assert.equal(plain.icons, undefined);
  assert.deepEqual(pictured.icons, { abc: "<svg/>" });
  const [azure, web] = pictured.resources;
  assert.equal(azure?.iconHash, undefined);
  assert.equal(web?.iconHash, "abc");
  assert.equal(web?.connections[0]?.kind, "Connection");
  assert.deepEqual(web?.properties?.["containers"], { web: { image: "i" }, odd: "text" });
  assert.ok(!JSON.stringify([plain, pictured]).includes("canary"));
});

for (const body of [undefined, null, "text", [], { includeIcons: "yes", dependsOnEdges: [1] }] as JsonValue[]) {
  test(`the body ${JSON.stringify(body)} asks for nothing special`, async () => {
    await using store = await openTemporaryStore();
    await put(store, inGroup("A.B/things/one"), { application: applicationId });

    const graph = await ask(store, getRadiusGraph, { body });

    assert.deepEqual(names(graph), ["one"]);
    assert.equal(graph.icons, undefined);
  });
}

test("Azure resources link to the portal of the tenant that a credential names, others do not", async () => {
  await using store = await openTemporaryStore();
  const azure = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Sql/servers/sql";
  const outputResources = [
    { id: `/planes/azure/azurecloud${azure}` },
    { id: "/planes/kubernetes/local/namespaces/n/providers/core/Service/web" },
  ];
  await put(store, inGroup("A.B/things/one"), { application: applicationId, status: { outputResources } });

  const before = await ask(store, getGraph);
  const credential = "/planes/azure/azurecloud/providers/System.Azure/credentials/default";
  await put(store, credential, { tenantId: "t-1" });
  const after = await ask(store, getGraph);

  const links = ({ resources }: ApplicationGraph) => resources[0]?.outputResources.map(({ portalUrl }) => portalUrl);
  assert.deepEqual(links(before), [undefined, undefined]);
  assert.deepEqual(links(after), [`https://portal.azure.com/#@t-1/resource${azure}`, undefined]);
});

test("an application without a readable environment has the graph of its own resources", async () => {
  await using store = await openTemporaryStore();
  await put(store, inGroup("A.B/things/one"), { application: applicationId });

  for (const environment of [undefined, "no id", 1]) {
    const context = {
      id: ResourceId.parse(applicationId),
      properties: { environment },
      resources: { asRequester: store, asServer: store },
      signal: new AbortController().signal,
    } as unknown as ActionContext;
    assert.deepEqual(names((await getGraph(context)) as ApplicationGraph), ["one"]);
  }
});
