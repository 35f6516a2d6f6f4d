import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { until } from "@rad/core/testing";
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

it("ends with its process, however that ends", async () => {
  const kit = JSON.stringify(path.join(import.meta.dirname, "own-test-cluster.ts"));
  const script = `
    const { ownTestCluster } = await import(${kit});
    const cluster = await ownTestCluster();
    console.log(cluster.pid);
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ["--eval", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const pid = Number(line.toString());
  assert.equal(process.kill(pid, 0), true);

  child.kill("SIGKILL");

  await until("the server has ended", () => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });
});

it("takes arguments for the API server", async () => {
  await using cluster = await ownTestCluster({ apiServerArgs: ["--disable-admission-plugins=NamespaceLifecycle"] });

  // Without that plugin nobody asks whether the namespace exists.
  await cluster.request("POST", "/api/v1/namespaces/nowhere/configmaps", { metadata: { name: "lost" } });
});
