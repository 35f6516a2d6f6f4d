import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import https from "node:https";
import { before, it } from "node:test";
import { promisify } from "node:util";
import { until } from "@rad/core/testing";
import { requestsOf } from "./cluster-requests.ts";
import { faultyProxy } from "./faulty-proxy.ts";
import type { FaultyProxy } from "./faulty-proxy.ts";
import { findKubectl } from "./find-kubectl.ts";
import { testCluster } from "./shared-test-cluster.ts";
import type { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;
let configMaps: string;
let namespace: string;
before(async () => {
  cluster = await testCluster();
  namespace = await cluster.namespace("proxy");
  configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
});

it("is transparent for kubectl, port-forward included", async (t) => {
  await using proxy = await faultyProxy(cluster);
  const kubectl = await findKubectl();
  const access = ["--kubeconfig", proxy.kubeConfig, "--namespace", namespace];
  const spec = { containers: [{ name: "web", image: "none", ports: [{ containerPort: 80 }] }] };
  await cluster.request("POST", `/api/v1/namespaces/${namespace}/pods`, { metadata: { name: "web" }, spec });

  await promisify(execFile)(kubectl, [...access, "wait", "--for=condition=Ready", "pod/web"]);
  const forward = spawn(kubectl, [...access, "port-forward", "pod/web", "--address=127.0.0.1", ":80"]);
  t.after(() => forward.kill());
  let printed = "";
  forward.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const port = await until("kubectl forwards", () => /127\.0\.0\.1:(\d+)/.exec(printed)?.[1]);
  const response = await fetch(`http://127.0.0.1:${port}`, { headers: { connection: "close" } });

  assert.equal(await response.text(), "pod web port 80\n");
  assert.ok(proxy.requests.some((line) => line.includes("/pods/web/portforward")));
});

it("answers in the server's stead as often as asked for, and only what matches", async () => {
  await using proxy = await faultyProxy(cluster);
  const request = through(proxy);
  proxy.answer({ status: 429, count: 2, matching: /^GET .*configmaps/, headers: { "retry-after": "1" } });

  await request("GET", "/api/v1/namespaces/default");
  await assert.rejects(request("GET", configMaps), { status: 429, reason: "TooManyRequests" });
  await assert.rejects(request("GET", configMaps), { status: 429 });
  await request("GET", configMaps);
});

it("cuts before the server has heard of a request, or after it has answered", async () => {
  await using proxy = await faultyProxy(cluster);
  const request = through(proxy);
  proxy.cutNext({ when: "before" });
  proxy.cutNext({ when: "after" });

  await assert.rejects(request("POST", configMaps, { metadata: { name: "unheard" } }), /ECONNRESET|hang up/);
  await assert.rejects(request("POST", configMaps, { metadata: { name: "heard" } }), /ECONNRESET|hang up/);

  await assert.rejects(cluster.request("GET", `${configMaps}/unheard`), { status: 404 });
  await cluster.request("GET", `${configMaps}/heard`);
});

it("holds a watch back while it is stalled, and ends it with a cut", async (t) => {
  await using proxy = await faultyProxy(cluster);
  const name = "watched";
  const path = `${configMaps}?watch=1&fieldSelector=metadata.name=${name}`;
  const [watch, direct] = await Promise.all([openWatch(proxy.url + path), openWatch(cluster.url + path)]);
  t.after(() => direct.close());
  await cluster.request("POST", configMaps, { metadata: { name } });
  await until("the watch sees it", () => watch.text().includes('"ADDED"'));

  proxy.stall();
  await cluster.request("PATCH", `${configMaps}/${name}`, { data: { key: "value" } });
  await until("a watch without the proxy sees the change", () => direct.text().includes('"MODIFIED"'));
  assert.doesNotMatch(watch.text(), /MODIFIED/);
  proxy.resume();

  await until("the watch sees the change", () => watch.text().includes('"MODIFIED"'));
  proxy.cut();
  await watch.ended;
});

function through(proxy: FaultyProxy) {
  return requestsOf({ url: proxy.url, caFile: cluster.caFile }, cluster.token);
}

async function openWatch(url: string) {
  const ca = await readFile(cluster.caFile);
  const headers = { authorization: `Bearer ${cluster.token}` };
  let text = "";
  const ended = Promise.withResolvers<void>();
  const response = await new Promise<IncomingMessage>((resolve) => {
    https.get(url, { ca, headers, agent: false }, (response) => {
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("error", () => {});
      response.on("close", () => ended.resolve());
      resolve(response);
    });
  });
  return { text: () => text, ended: ended.promise, close: () => response.destroy() };
}
