/** An API server that restarts or throttles: errors are transient, and trying again converges. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { ownTestCluster } from "@rad/kubernetes/testing";
import { ApiError } from "@rad/core";
import type { KubernetesObject } from "../kubernetes-object.ts";
import { nameOf } from "../kubernetes-object.ts";
import { openCluster } from "./open-cluster.ts";

const options = { signal: new AbortController().signal };

function objectsIn(namespace: string, count: number): KubernetesObject[] {
  return Array.from({ length: count }, (_, index) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `object-${index}`, namespace },
    data: { index: String(index) },
  }));
}

/** As operations do it: again when the error says that it may help. */
async function untilDone(work: () => Promise<unknown>): Promise<number> {
  for (let failures = 0; ; failures += 1) {
    try {
      await work();
      return failures;
    } catch (error) {
      assert.ok(error instanceof ApiError && error.transient, String(error));
      await delay(50);
    }
  }
}

test("applying and deleting go on after the API server was killed in the middle", async () => {
  await using cluster = await ownTestCluster();
  await using target = await openCluster({ kind: "kubeConfig", file: cluster.kubeConfig });
  const objects = objectsIn("shop", 60);
  const inTurn = async (work: (object: KubernetesObject) => Promise<unknown>): Promise<number> => {
    let failures = 0;
    let restart = Promise.resolve();
    for (const [index, object] of objects.entries()) {
      failures += await untilDone(() => work(object));
      if (index === 20) {
        await cluster.stop("SIGKILL");
        restart = delay(300).then(async () => await cluster.start());
      }
    }
    await restart;
    return failures;
  };

  const whileApplying = await inTurn(async (object) => await target.apply(object, options));
  assert.ok(whileApplying > 0, "the server was away");
  const listed = await cluster.request<{ items: unknown[] }>("GET", "/api/v1/namespaces/shop/configmaps");
  assert.ok(listed.items.length >= objects.length);

  const whileDeleting = await inTurn(async (object) => await target.delete(nameOf(object), options));
  assert.ok(whileDeleting > 0, "the server was away");
  for (const object of objects) {
    assert.equal(await target.read(nameOf(object), options), undefined);
  }
});

test("a server that throttles gets all objects in the end", async () => {
  await using cluster = await ownTestCluster({
    apiServerArgs: [
      "--enable-priority-and-fairness=false",
      "--max-mutating-requests-inflight=1",
      "--max-requests-inflight=2",
    ],
  });
  await using target = await openCluster({ kind: "kubeConfig", file: cluster.kubeConfig });
  const objects = objectsIn("default", 60);

  await Promise.all(objects.map(async (object) => await untilDone(() => target.apply(object, options))));

  const found = await Promise.all(objects.map(async (object) => await target.read(nameOf(object), options)));
  assert.equal(found.filter((object) => object !== undefined).length, objects.length);
});
