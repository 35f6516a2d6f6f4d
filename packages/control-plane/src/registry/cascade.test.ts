import assert from "node:assert/strict";
import { it } from "node:test";
import { silentLogger, systemClock } from "@rad/core";
import type { OperationContext, StepHandle } from "@rad/operations";
import type { Store } from "@rad/store";
import { openTemporaryStore } from "@rad/store/testing";
import { providerId, providerType, readProvider, ResourceExecutor } from "@rad/resources";
import { registerManifest } from "./register-manifest.ts";
import { registryTypes } from "./registry-types.ts";

const plane = "/planes/radius/local";
const provider = providerId(plane, "Test.Gone");
const operationId = "00000000-0000-4000-8000-000000000001";
const takeRequest = { leaseMs: 60_000, queues: [{ name: "default" }] };

/** A worker that is about to delete a provider with one type. */
const step: StepHandle = { detail: () => {}, share: () => {}, step: (_, work) => work(step) };

async function setUp(store: Store): Promise<{ executor: ResourceExecutor; context: OperationContext }> {
  const manifest = {
    namespace: "Test.Gone",
    location: { name: "global", address: undefined },
    types: [
      {
        name: "things",
        capabilities: [],
        defaultApiVersion: undefined,
        description: undefined,
        icon: undefined,
        apiVersions: [{ name: "2025-01-01", schema: {} }],
      },
    ],
  };
  await registerManifest(manifest, { store, clock: systemClock, planeScope: plane, location: "global" });
  await store.write({
    operation: {
      id: operationId,
      resourceId: provider,
      kind: "delete",
      apiVersion: "2023-10-01-preview",
      queue: "default",
      timeoutMs: 600_000,
      caller: "somebody",
      correlationId: "c",
    },
  });
  const leased = await store.operations.take({ owner: "first", ...takeRequest });
  assert.ok(leased !== undefined);
  const handler = registryTypes(() => undefined).get(providerType.toLowerCase())?.handler ?? {};
  return {
    executor: new ResourceExecutor({
      store,
      clock: systemClock,
      log: silentLogger,
      location: "global",
      types: { resolve: () => Promise.reject(new Error("not asked for")), refresh: () => {} },
      permissions: { allows: () => true },
      deployments: () => ({ run: () => Promise.reject(new Error("not asked for")) }),
      handlerFor: () => handler,
    }),
    context: {
      ...leased,
      signal: new AbortController().signal,
      log: silentLogger,
      write: (change) => store.write({ ...change, lease: leased.lease }),
      step: (_, work) => work(step),
      hide: () => {},
      withoutSlot: (work) => work(),
    },
  };
}

it("a worker that lost its lease removes nothing of what was registered since", async () => {
  await using store = await openTemporaryStore();
  const { executor, context } = await setUp(store);
  await store.operations.handBack(context.lease);

  await assert.rejects(executor.run(context), { code: "LeaseLost" });

  const view = await readProvider(store, plane, "Test.Gone");
  assert.deepEqual(
    view?.types.map((type) => [type.name, type.apiVersions.size]),
    [["things", 1]],
  );
});

it("a resource that is created while its provider is being deleted keeps its type", async () => {
  await using store = await openTemporaryStore();
  const { executor, context } = await setUp(store);
  const id = `${plane}/resourcegroups/g/providers/Test.Gone/things/late`;
  const input = { id, type: "Test.Gone/things", apiVersion: "2025-01-01", body: { id }, secrets: {} };
  const write: OperationContext["write"] = async (change) => {
    const isRemoval = change.document?.kind !== "put"; // the first write tells that work goes on
    await (isRemoval ? store.write({ document: { kind: "put", input, expect: "any" } }) : undefined);
    return await context.write(change);
  };

  await assert.rejects(executor.run({ ...context, write }), { code: "GuardFailed" });

  const view = await readProvider(store, plane, "Test.Gone");
  assert.equal(view?.types[0]?.apiVersions.size, 1);
});

it("a provider stays when something was registered below it after its types were removed", async () => {
  await using store = await openTemporaryStore();
  const { executor, context } = await setUp(store);

  const outcome = await executor.run(context);
  assert.ok(outcome.kind === "done");
  const id = `${provider}/resourceTypes/late`;
  const input = { id, type: `${providerType}/resourceTypes`, apiVersion: "v", body: { id }, secrets: {} };
  await store.write({ document: { kind: "put", input, expect: "absent" } });

  await assert.rejects(context.write(outcome.ending), { code: "GuardFailed" });
});
