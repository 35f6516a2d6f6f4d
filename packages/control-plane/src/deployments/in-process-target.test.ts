import assert from "node:assert/strict";
import { it } from "node:test";
import { type JsonObject, objectMember, silentLogger, systemClock } from "@rad/core";
import type { PutOrder, SentEffect } from "@rad/deployments";
import { compileSchema } from "@rad/resource-types";
import type { AuditRecord, Lease, Store } from "@rad/store";
import { openTemporaryStore } from "@rad/store/testing";
import { namespacePolicies } from "@rad/radius-types";
import { type Requester, type ResourceHandler, type ServedType, TypeModules } from "@rad/resources";
import { InProcessTarget } from "./in-process-target.ts";
import { OperationWaiter } from "@rad/operations";

const group = "/planes/radius/local/resourceGroups/g";
const id = `${group}/providers/Radius.Core/things/one`;
const apiVersion = "2025-01-01";
/** What every order about it says besides. */
const thing = { type: "Radius.Core/things", name: "one", extension: undefined } as const;
const schema = compileSchema({
  type: "object",
  properties: {
    size: { type: "integer", default: 1 },
    token: { type: "string", "x-radius-sensitive": true },
    endpoint: { type: "string", readOnly: true },
  },
});

interface World extends AsyncDisposable {
  readonly store: Store;
  readonly target: InProcessTarget;
  readonly effects: SentEffect[];
  readonly refused: AuditRecord[];
  put(properties: JsonObject, more?: Partial<PutOrder>): ReturnType<InProcessTarget["put"]>;
}

const hidden: string[] = [];
const requester: Requester = {
  caller: { kind: "token", subject: "token:ci", groups: [] },
  correlationId: "c",
  traceparent: undefined,
  hide: (values) => hidden.push(...values),
};

const droppingSchema = compileSchema({
  type: "object",
  "x-radius-unknown": "drop",
  properties: { size: { type: "integer" } },
});

async function openWorld(
  type = "Radius.Core/things",
  handler: ResourceHandler = {},
  typeSchema = schema,
): Promise<World> {
  const store = await openTemporaryStore();
  const served: ServedType = {
    policy: new TypeModules([{ name: type }], namespacePolicies).policyFor(type),
    handler,
    errorTarget: "test",
    version: () => ({ name: apiVersion, schema: typeSchema, guards: [] }),
    checkName: () => undefined,
  };
  const waiter = new OperationWaiter({ store });
  const types = { resolve: async () => served, refresh: () => {} };
  const resources = {
    store,
    clock: systemClock,
    log: silentLogger,
    location: "global",
    types,
    permissions: { allows: () => true },
  };
  const refused: AuditRecord[] = [];
  const target = new InProcessTarget({
    resources,
    waiter,
    refused: async (record) => void refused.push(record),
    limits: { maxDepth: 16, maxValues: 10_000 },
  });
  for (const [scope, of] of [
    ["/planes/radius/local", "System.Radius/planes"],
    [group, "System.Resources/resourceGroups"],
  ] as const) {
    const input = { id: scope, type: of, apiVersion, body: {}, secrets: {} };
    await store.write({ document: { kind: "put", input, expect: "absent" } });
  }
  const lease = await leaseOf(store);
  const effects: SentEffect[] = [];
  return {
    store,
    target,
    effects,
    refused,
    put: (properties, more) =>
      target.put({
        ...thing,
        requester,
        id,
        apiVersion,
        key: "k",
        sentBefore: false,
        intent: () => assert.fail("records are stored with the effect"),
        signal: new AbortController().signal,
        method: "PUT",
        body: { location: "global", properties },
        secrets: [],
        onlyIfAbsent: false,
        lease,
        record: (effect) => {
          effects.push(effect);
          const body = { change: effect.change };
          const input = { id: `${id}-record`, type: "Test/records", apiVersion, body, secrets: {} };
          return { kind: "put", input, expect: "any" };
        },
        ...more,
      }),
    [Symbol.asyncDispose]: async () => {
      waiter[Symbol.dispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

async function leaseOf(store: Store): Promise<Lease> {
  const operation = {
    id: "11111111-1111-1111-1111-111111111111",
    resourceId: `${group}/providers/Microsoft.Resources/deployments/d`,
    kind: "put",
    apiVersion,
    queue: "q",
    timeoutMs: 60_000,
    caller: "token:ci",
    correlationId: "c",
  };
  await store.write({ operation });
  const leased = await store.operations.take({ owner: "t", leaseMs: 60_000, queues: [{ name: "q" }] });
  assert.ok(leased !== undefined);
  return leased.lease;
}

async function etag(store: Store): Promise<string | undefined> {
  return (await store.get(id))?.etag;
}

it("stores the resource and the record of it together", async () => {
  await using world = await openWorld();

  const sent = await world.put({ size: 2 });

  assert.equal(sent.kind, "done");
  assert.equal(sent.change, "create");
  assert.deepEqual((await world.store.get(`${id}-record`))?.body, { change: "create" });
  assert.deepEqual(world.effects, [{ change: "create", tracking: undefined, id, warnings: [] }]);
});

it("warns of members that the type does not have, in the record, and shows no change in what-if", async () => {
  await using world = await openWorld("Radius.Core/things", {}, droppingSchema);

  await world.put({ size: 2, sise: "a value" });
  const order = {
    ...thing,
    requester,
    id,
    apiVersion,
    signal: new AbortController().signal,
    method: "PUT",
    secrets: [],
  } as const;
  const body = { properties: { size: 2, sise: "another value" } };
  const preview = await world.target.preview({ ...order, body, onlyIfAbsent: false });

  const warnings = ["The resource type has no such members, they were not stored: properties.sise"];
  assert.deepEqual(world.effects, [{ change: "create", tracking: undefined, id, warnings }]);
  assert.deepEqual(preview.warnings, warnings);
  assert.deepEqual(preview.after, preview.before);
});

it("stores neither when the deployment was taken over elsewhere", async () => {
  await using world = await openWorld();
  const lease = { operationId: "11111111-1111-1111-1111-111111111111", owner: "t", fence: 99 };

  await assert.rejects(world.put({ size: 2 }, { lease }), { code: "LeaseLost" });

  assert.equal(await world.store.get(id), undefined);
  assert.equal(await world.store.get(`${id}-record`), undefined);
});

it("an asynchronous type gives the operation to track", async () => {
  await using world = await openWorld("Test.Any/things");

  const sent = await world.put({ size: 2 });

  assert.ok(sent.kind === "accepted");
  assert.equal(world.effects[0]?.tracking, sent.tracking);
  assert.equal((await world.store.get(id))?.operationId, sent.tracking);
});

it("the same again changes nothing, defaults and secrets included", async () => {
  await using world = await openWorld();
  await world.put({ token: "s3cret-value" });
  const first = await etag(world.store);

  const same = await world.put({ size: 1, token: "s3cret-value" });
  const second = await etag(world.store);
  const other = await world.put({ token: "another-value" });

  assert.equal(same.change, "none");
  assert.equal(second, first);
  assert.equal(other.change, "modify");
  assert.ok(hidden.includes("s3cret-value"));
});

it("what a handler computes is no difference, unless it comes out differently", async () => {
  let endpoint = "http://a";
  await using world = await openWorld("Radius.Core/things", {
    put: async ({ properties }) => ({ kind: "done", properties: { ...properties, endpoint } }),
  });
  await world.put({ size: 2 });
  const first = await etag(world.store);

  const same = await world.put({ size: 2 });
  const second = await etag(world.store);
  endpoint = "http://b";
  const drifted = await world.put({ size: 2 });

  assert.deepEqual([same.change, second], ["none", first]);
  assert.equal(drifted.change, "modify");
  assert.ok(drifted.kind === "done");
  assert.equal((drifted.body["properties"] as JsonObject)["endpoint"], "http://b");
});

it("leaves alone what is there, when asked to", async () => {
  await using world = await openWorld();
  await world.put({ size: 2 });
  const first = await etag(world.store);

  const sent = await world.put({ size: 3 }, { onlyIfAbsent: true });

  assert.equal(sent.change, "none");
  assert.equal(await etag(world.store), first);
  assert.deepEqual((await world.store.get(`${id}-record`))?.body, { change: "none" });
});

it("a default that the type got since is no change, neither to a PUT nor to what-if", async () => {
  await using world = await openWorld();
  await world.put({});
  const stored = await world.store.get(id);
  assert.ok(stored !== undefined);
  const { size: _size, ...older } = objectMember(stored.body, "properties");
  const input = { ...stored, body: { ...stored.body, properties: older }, secrets: "keep" as const };
  await world.store.write({ document: { kind: "put", input, expect: { etag: stored.etag } } });

  const signal = new AbortController().signal;
  const order = { ...thing, requester, id, apiVersion, signal, onlyIfAbsent: false, secrets: [] } as const;
  const preview = await world.target.preview({ ...order, method: "PUT", body: { location: "global", properties: {} } });
  const put = await world.put({});

  assert.deepEqual(preview.before, preview.after);
  assert.equal(put.change, "none");
});

it("previews what would be stored, and names secrets without their value", async () => {
  await using world = await openWorld();
  const order = {
    ...thing,
    requester,
    id,
    apiVersion,
    signal: new AbortController().signal,
    onlyIfAbsent: false,
    secrets: [],
  } as const;
  const body = (properties: JsonObject): JsonObject => ({ location: "global", properties });

  const created = await world.target.preview({ ...order, method: "PUT", body: body({ token: "a-secret" }) });
  await world.put({ token: "a-secret" });
  const before = await etag(world.store);
  const same = await world.target.preview({ ...order, method: "PUT", body: body({ token: "a-secret" }) });
  const changed = await world.target.preview({ ...order, method: "PUT", body: body({ size: 2 }) });

  assert.equal(created.before, undefined);
  assert.deepEqual(created.after["properties"], { size: 1, token: null });
  assert.deepEqual(created.changedSecrets, [{ pointer: "/properties/token", change: "create" }]);
  assert.deepEqual(same.before, same.after);
  assert.deepEqual(same.changedSecrets, []);
  assert.deepEqual(changed.after["properties"], { size: 2 });
  assert.deepEqual(changed.changedSecrets, [{ pointer: "/properties/token", change: "delete" }]);
  assert.equal(await etag(world.store), before);
});

it("a preview refuses what a PUT would refuse", async () => {
  await using world = await openWorld();
  const order = {
    ...thing,
    requester,
    id,
    apiVersion,
    signal: new AbortController().signal,
    onlyIfAbsent: false,
    secrets: [],
  } as const;
  const body = { location: "global", properties: { size: "large" } };

  const preview = world.target.preview({ ...order, method: "PUT", body });

  await assert.rejects(preview, { code: "HttpRequestPayloadAPISpecValidationFailed" });
  const nowhere = { ...order, id: id.replace("/g/", "/other/") };
  await assert.rejects(
    world.target.preview({ ...nowhere, method: "PUT", body: { location: "global", properties: {} } }),
    {
      code: "NotFound",
    },
  );
});

const settings = (password: string): JsonObject => ({
  token: "t-secret",
  env: { PASSWORD: { value: password }, LEVEL: { value: "info" } },
  list: ["a", { key: password }],
});
const ofSettings = ["/properties/env/PASSWORD/value", "/properties/list/1/key"];

it("seals what a template made of a secret, beside what the schema marks", async () => {
  const told: JsonObject[] = [];
  const handler: ResourceHandler = { put: async (context) => void told.push(await context.secrets()) };
  await using world = await openWorld("Radius.Core/things", handler);
  const secrets = [...ofSettings, "/properties/token/0", "/properties/absent", "/location"];

  const sent = await world.put(settings("p-secret"), { secrets });

  const sealed = {
    "/properties/token": "t-secret",
    "/properties/env/PASSWORD/value": "p-secret",
    "/properties/list/1/key": "p-secret",
  };
  assert.ok(sent.kind === "done");
  assert.partialDeepStrictEqual(sent.body["properties"], {
    size: 1,
    token: null,
    env: { PASSWORD: { value: null }, LEVEL: { value: "info" } },
    list: ["a", { key: null }],
  });
  assert.deepEqual(await world.store.secrets(id), sealed);
  assert.deepEqual(told, [sealed]);
  assert.ok(hidden.includes("p-secret"));
});

it("changes nothing when the same secret is sent again, and modifies when it is another one", async () => {
  await using world = await openWorld();
  const order = {
    ...thing,
    requester,
    id,
    apiVersion,
    signal: new AbortController().signal,
    onlyIfAbsent: false,
  } as const;
  const bodyWith = (password: string) => ({ body: { properties: settings(password) }, secrets: ofSettings });
  await world.put(settings("p-secret"), { secrets: ofSettings });

  const same = await world.target.preview({ ...order, method: "PUT", ...bodyWith("p-secret") });
  const other = await world.target.preview({ ...order, method: "PUT", ...bodyWith("q-secret") });
  await world.put(settings("p-secret"), { secrets: ofSettings });
  await world.put(settings("q-secret"), { secrets: ofSettings });

  assert.deepEqual([same.changedSecrets, same.before], [[], same.after]);
  assert.deepEqual(
    other.changedSecrets,
    ofSettings.map((pointer) => ({ pointer, change: "modify" })),
  );
  assert.deepEqual(
    world.effects.map(({ change }) => change),
    ["create", "none", "modify"],
  );
  assert.equal((await world.store.secrets(id))["/properties/list/1/key"], "q-secret");
});

it("seals every member where all properties are made of a secret, and checks them before", async () => {
  await using world = await openWorld();

  await world.put({ size: 7, token: "t", more: { a: "x-secret" } }, { secrets: ["/properties"] });
  const refused = world.put({ size: "x-secret" }, { secrets: ["/properties/size"] });

  await assert.rejects(refused, { code: "HttpRequestPayloadAPISpecValidationFailed" });
  const stored = objectMember((await world.store.get(id))?.body ?? {}, "properties");
  assert.partialDeepStrictEqual(stored, { size: null, token: null, more: null });
  assert.deepEqual(await world.store.secrets(id), {
    "/properties/size": 7,
    "/properties/token": "t",
    "/properties/more": { a: "x-secret" },
  });
});

for (const pointer of ["/tags/owner", "/tags", ""]) {
  it(`refuses to store a tag that is made of a secret ("${pointer}")`, async () => {
    await using world = await openWorld();
    const body = { tags: { owner: "x-secret" }, properties: {} };

    await assert.rejects(world.put({}, { body, secrets: [pointer] }), { code: "InvalidTemplate" });

    assert.equal(await world.store.get(id), undefined);
  });
}

it("bodies that expressions built are held to the limits of requests", async () => {
  await using world = await openWorld();
  let deep: JsonObject = {};
  for (let depth = 0; depth < 50; depth += 1) {
    deep = { deep };
  }

  await assert.rejects(world.put(deep), { code: "InvalidRequestContent" });
  await assert.rejects(world.put(JSON.parse('{"__proto__": {"a": 1}}') as JsonObject), {
    code: "InvalidRequestContent",
  });
});

it("what is refused is on record for the deployment's caller", async () => {
  await using world = await openWorld();

  await assert.rejects(world.put({ size: "large" }), { code: "HttpRequestPayloadAPISpecValidationFailed" });

  assert.partialDeepStrictEqual(world.refused, [
    { phase: "refusal", caller: "token:ci", action: "Radius.Core/things/write", target: id, status: 400 },
  ]);
});

it("a failed operation fails with its own error", async () => {
  await using world = await openWorld("Test.Any/things");
  const sent = await world.put({});
  assert.ok(sent.kind === "accepted");
  const leased = await world.store.operations.take({ owner: "w", leaseMs: 60_000, queues: [{ name: "default" }] });
  assert.ok(leased !== undefined);
  const error = { code: "Conflict", message: "not now", details: [{ code: "Other", message: "why" }] };
  await world.store.write({ lease: leased.lease, outcome: { state: "Failed", error } });

  const { tracking } = sent;
  const signal = new AbortController().signal;

  await assert.rejects(
    world.target.finish({ ...thing, requester, id, apiVersion, signal, key: "k", tracking, body: undefined }),
    {
      code: "Conflict",
      message: "not now",
      details: error.details,
    },
  );
});

it("takes a member that is null for one that is left out, as templates mean it", async () => {
  await using world = await openWorld();
  const { target, store } = world;
  const properties = { size: null, token: null, list: [{ a: null, b: 1 }, null] };

  const body = { properties, tags: null };
  const signal = new AbortController().signal;
  const order = { ...thing, requester, id, apiVersion, signal, body, secrets: [], onlyIfAbsent: false };
  const preview = await target.preview({ ...order, method: "PUT" });
  await world.put({}, { body });

  const stored = objectMember((await store.get(id))?.body ?? {}, "properties");
  assert.deepEqual(stored["list"], [{ b: 1 }, null]);
  assert.equal(stored["size"], 1, "the default");
  assert.deepEqual(objectMember(preview.after, "properties")["list"], [{ b: 1 }, null]);
});
