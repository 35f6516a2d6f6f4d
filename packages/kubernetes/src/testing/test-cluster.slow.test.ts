import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, it } from "node:test";
import { until } from "@rad/core/testing";
import { parse } from "yaml";
import { RefusedRequest } from "./cluster-requests.ts";
import { testCluster } from "./shared-test-cluster.ts";
import type { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await testCluster();
});

it("makes a Deployment available", async () => {
  const namespace = await cluster.namespace("deployment");
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await cluster.request("POST", path, deployment("web", 3));

  await until("the Deployment is available", async () => {
    const { status } = await cluster.request<{ status: { availableReplicas?: number } }>("GET", `${path}/web`);
    return status.availableReplicas === 3;
  });
});

it("refuses what the rules of a service account do not allow, and logs who was refused", async () => {
  const namespace = await cluster.namespace("rbac");
  const file = await cluster.serviceAccount({
    namespace,
    name: "reader",
    rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }],
  });
  const { users } = parse(await readFile(file, "utf8")) as { users: { user: { token: string } }[] };
  const account = cluster.as(users[0]?.user.token ?? "");

  await account("GET", `/api/v1/namespaces/${namespace}/configmaps`);
  await assert.rejects(account("GET", `/api/v1/namespaces/${namespace}/secrets`), (error) => {
    assert.ok(error instanceof RefusedRequest);
    assert.deepEqual([error.status, error.reason], [403, "Forbidden"]);
    return true;
  });

  await until("both requests are in the audit log", async () => {
    const events = (await readFile(cluster.auditLog, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditEvent)
      .filter(({ user }) => user.username === `system:serviceaccount:${namespace}:reader`);
    return (
      events.map(({ objectRef, responseStatus }) => `${objectRef.resource} ${responseStatus.code}`).join() ===
      "configmaps 200,secrets 403"
    );
  });
});

it("gives namespaces that differ", async () => {
  const [one, two] = await Promise.all([cluster.namespace("same"), cluster.namespace("same")]);

  assert.notEqual(one, two);
});

interface AuditEvent {
  readonly user: { readonly username: string };
  readonly objectRef: { readonly resource: string };
  readonly responseStatus: { readonly code: number };
}

function deployment(name: string, replicas: number) {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name, image: "none" }] } };
  return { metadata: { name }, spec: { replicas, selector: { matchLabels: labels }, template } };
}
