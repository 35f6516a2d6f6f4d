// Namespaces in a cluster; `namespaces.test.ts` has what does not depend on one.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import { type TestCluster, testCluster } from "@rad/kubernetes/testing";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

const group = `${local}/resourcegroups/apps`;
let cluster: TestCluster;
let server: TestServer;
before(async () => {
  cluster = await testCluster();
  const { kubeConfig, context } = cluster;
  server = await startTestServer({ overrides: { kubernetes: { kubeConfig, context } } });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
});
after(() => server[Symbol.asyncDispose]());

const putEnvironment = (family: string, name: string, properties: JsonObject): Promise<Reply> => {
  const version = family === "Radius.Core" ? "2025-08-01-preview" : "2023-10-01-preview";
  const path = `${group}/providers/${family}/environments/${name}?api-version=${version}`;
  return server.call("PUT", path, { body: { location: "global", properties } });
};

it("an environment creates its namespace, and leaves one alone that is there", async () => {
  const present = await cluster.namespace("present");
  const absent = `${present}-new`;

  const created = await putEnvironment("Applications.Core", "new", {
    compute: { kind: "kubernetes", namespace: absent },
  });
  const found = await putEnvironment("Applications.Core", "old", {
    compute: { kind: "kubernetes", namespace: present },
  });

  assert.deepEqual([created.status, found.status], [200, 200], created.text + found.text);
  assert.match(JSON.stringify(await cluster.request("GET", `/api/v1/namespaces/${absent}`)), /radius-rp/);
  assert.doesNotMatch(JSON.stringify(await cluster.request("GET", `/api/v1/namespaces/${present}`)), /radius-rp/);
});

it("an environment of Radius.Core needs a namespace that is there", async () => {
  const namespace = await cluster.namespace("given");

  const good = await putEnvironment("Radius.Core", "good", { providers: { kubernetes: { namespace } } });
  const bad = await putEnvironment("Radius.Core", "bad", { providers: { kubernetes: { namespace: "not-there" } } });

  assert.equal(good.status, 200, good.text);
  assert.deepEqual([bad.status, bad.code], [400, "BadRequest"]);
  assert.match(bad.text, /Namespace 'not-there' does not exist in the Kubernetes cluster/);
});

it("an environment refuses a namespace that is being deleted", async () => {
  const namespace = await cluster.namespace("ending");
  const path = `/api/v1/namespaces/${namespace}`;
  const kept = { name: "kept", namespace, finalizers: ["example.com/held"] };
  await cluster.request("POST", `${path}/configmaps`, { apiVersion: "v1", kind: "ConfigMap", metadata: kept });
  await cluster.request("DELETE", path);
  await until("the namespace is ending", async () =>
    JSON.stringify(await cluster.request("GET", path)).includes("Terminating"),
  );

  const reply = await putEnvironment("Applications.Core", "late", { compute: { kind: "kubernetes", namespace } });

  assert.deepEqual([reply.status, reply.code], [409, "Conflict"], reply.text);
  assert.match(reply.text, /is being deleted/);
  const released = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept", namespace } };
  await cluster.request("PUT", `${path}/configmaps/kept`, released);
});
