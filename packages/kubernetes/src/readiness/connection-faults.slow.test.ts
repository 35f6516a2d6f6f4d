import assert from "node:assert/strict";
import { after, it } from "node:test";
import { systemClock } from "@rad/core";
import { until } from "@rad/core/testing";
import { Watches } from "../api/watch.ts";
import { clientOf, targetOf } from "../testing/client-of.ts";
import { faultyProxy, testCluster } from "../testing/index.ts";
import { deploymentOf } from "../testing/workloads.ts";
import { readyObject } from "./ready-object.ts";

const cluster = await testCluster();
const direct = await targetOf(cluster);
const { signal } = new AbortController();
after(async () => {
  await direct[Symbol.asyncDispose]();
});

it("waits through ten cuts of all connections", async () => {
  const { namespace, objects } = await unready(5);
  await using proxy = await faultyProxy(cluster);
  using client = await clientOf(proxy);
  const watches = new Watches(client, systemClock);
  let told = 0;
  const waiting = Promise.all(
    objects.map((object) => readyObject(depsOf(watches), object, { signal, progress: () => (told += 1) })),
  );
  await until("all wait for their pods", () => told >= objects.length);

  for (let cut = 0; cut < 10; cut += 1) {
    const before = proxy.requests.length;
    proxy.cut();
    await until("it has come back", () => proxy.requests.length >= before + 4);
  }
  proxy.cut();
  await makeReady(namespace, objects.length);
  await waiting;

  assert.equal(watches.open, 0);
});

for (const [name, status, requests] of [
  ["the version is too old", 410, /watch=true/],
  ["the server has an internal error", 500, /watch=true/],
  ["the server is overloaded", 503, /pods\?/],
  ["lists time out", 504, /limit=/],
] as const) {
  it(`waits on when ${name}`, async () => {
    const { namespace, objects } = await unready(1);
    const [object] = objects;
    assert.ok(object);
    await using proxy = await faultyProxy(cluster);
    using client = await clientOf(proxy);
    const watches = new Watches(client, systemClock);
    proxy.answer({ status, count: 4, matching: requests });
    let told = 0;
    const waiting = readyObject(depsOf(watches), object, { signal, progress: () => (told += 1) });
    await until("it waits for its pod", () => told > 0);
    proxy.answer({ status, count: 3, matching: requests });
    proxy.cut();

    await makeReady(namespace, objects.length);

    await waiting;
    assert.equal(watches.open, 0);
  });
}

it("fails when the right to read pods is taken away", async () => {
  const { objects } = await unready(1);
  const [object] = objects;
  assert.ok(object);
  await using proxy = await faultyProxy(cluster);
  using client = await clientOf(proxy);
  const watches = new Watches(client, systemClock);
  let told = 0;
  const waiting = readyObject(depsOf(watches), object, { signal, progress: () => (told += 1) });
  await until("it waits for its pod", () => told > 0);

  proxy.answer({ status: 403, count: 100, matching: /\/pods/ });
  proxy.cut();

  await assert.rejects(waiting, { code: "Forbidden" });
  assert.equal(watches.open, 0);
});

function depsOf(watches: Watches) {
  return { watches, collectionPath: async () => "" };
}

/** Deployments whose pods run and are not ready. */
async function unready(count: number) {
  const namespace = await cluster.namespace("faults");
  const names = Array.from({ length: count }, (_, index) => `web${index}`);
  const applied = await Promise.all(
    names.map((name) => direct.apply(deploymentOf({ namespace, name, wish: { outcome: "unready" } }), { signal })),
  );
  return { namespace, objects: applied.map(({ object }) => object) };
}

/** The pods of so many deployments, which may not have been created yet. */
async function makeReady(namespace: string, count: number): Promise<void> {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const items = await until("every deployment has its pod", async () => {
    const list = await cluster.request<{ items: { metadata: { name: string } }[] }>("GET", pods);
    return list.items.length === count && list.items;
  });
  const annotations = { "kube-test-server/outcome": "running" };
  await Promise.all(
    items.map(({ metadata }) => cluster.request("PATCH", `${pods}/${metadata.name}`, { metadata: { annotations } })),
  );
}
