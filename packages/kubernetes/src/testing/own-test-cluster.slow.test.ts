import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { ownTestCluster } from "./own-test-cluster.ts";

it("keeps its data, port and credentials when it is killed and started again", async () => {
  await using cluster = await ownTestCluster();
  const namespace = await cluster.namespace("kept");
  const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
  await cluster.request("POST", configMaps, { metadata: { name: "kept" }, data: { key: "value" } });

  await cluster.stop("SIGKILL");
  await assert.rejects(cluster.request("GET", "/readyz"), /ECONNREFUSED|ECONNRESET/);
  await cluster.start();

  const { data } = await cluster.request("GET", `${configMaps}/kept`);
  assert.deepEqual(data, { key: "value" });
});

it("leaves no process and no file", async () => {
  const cluster = await ownTestCluster();
  const pid = cluster.pid ?? 0;

  await cluster[Symbol.asyncDispose]();

  assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  assert.equal(existsSync(path.dirname(cluster.kubeConfig)), false);
});

it("takes arguments for the API server", async () => {
  await using cluster = await ownTestCluster({ apiServerArgs: ["--disable-admission-plugins=NamespaceLifecycle"] });

  // Without that plugin nobody asks whether the namespace exists.
  await cluster.request("POST", "/api/v1/namespaces/nowhere/configmaps", { metadata: { name: "lost" } });
});
