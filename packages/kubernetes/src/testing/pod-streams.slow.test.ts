// Logs and port-forward of pods, through the API server, with clients that are not ours.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { PassThrough } from "node:stream";
import { before, it } from "node:test";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { KubeConfig } from "@kubernetes/client-node/dist/config.js";
import { PortForward } from "@kubernetes/client-node/dist/portforward.js";
import { until } from "@rad/core/testing";
import { findKubectl } from "./find-kubectl.ts";
import { testCluster } from "./shared-test-cluster.ts";
import type { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;
let namespace: string;
let kubectl: string;
before(async () => {
  [cluster, kubectl] = await Promise.all([testCluster(), findKubectl()]);
  namespace = await cluster.namespace("streams");
});

it("kubectl logs prints what the annotations say, by container", async () => {
  await runningPod("printer", {
    "kube-test-server/logs": "first\nsecond\nthird",
    "kube-test-server/logs.sidecar": "from the sidecar",
  });

  const [all, tail, sidecar] = await Promise.all([
    run("logs", "printer", "-c", "web"),
    run("logs", "printer", "-c", "web", "--tail=1"),
    run("logs", "printer", "-c", "sidecar", "--timestamps"),
  ]);

  assert.equal(all, "first\nsecond\nthird\n");
  assert.equal(tail, "third\n");
  assert.match(sidecar, /^\d{4}-\d\d-\d\dT\S+Z from the sidecar\n$/);
});

it("kubectl logs leaves out lines before --since-time", async () => {
  await runningPod("since", { "kube-test-server/logs": "old" });
  const future = new Date(Date.now() + 60_000).toISOString();

  assert.equal(await run("logs", "since", "-c", "web", `--since-time=${future}`), "");
  assert.equal(await run("logs", "since", "-c", "web", "--since-time=2020-01-01T00:00:00Z"), "old\n");
});

it("kubectl logs --follow prints lines as they come, until the pod is gone", async (t) => {
  await runningPod("followed", { "kube-test-server/logs": "one" });
  const follower = start(t, "logs", "followed", "-c", "web", "--follow");
  const output = text(follower.stdout);
  let printed = "";
  follower.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  await until("the first line is printed", () => printed === "one\n");

  await cluster.request("PATCH", podPath("followed"), {
    metadata: { annotations: { "kube-test-server/logs": "one\ntwo" } },
  });
  await until("the second line is printed", () => printed === "one\ntwo\n");
  assert.equal(follower.exitCode, null);
  await cluster.request("DELETE", podPath("followed"));

  assert.equal(await output, "one\ntwo\n");
});

it("kubectl logs says why a container has none", async () => {
  await cluster.request("POST", podPath(), pod("unpulled", { "kube-test-server/outcome": "image-pull-backoff" }));
  await until("the image cannot be pulled", async () => {
    const { status } = await cluster.request<{ status: { containerStatuses?: object[] } }>("GET", podPath("unpulled"));
    return status.containerStatuses !== undefined;
  });

  await assert.rejects(run("logs", "unpulled", "-c", "web"), /trying and failing to pull image/);
});

it("kubectl port-forward reaches the declared ports, each with its answer", async (t) => {
  await runningPod("server", { "kube-test-server/answer": "all ports", "kube-test-server/answer.9090": "metrics" });
  const forward = start(t, "port-forward", "pod/server", "--address=127.0.0.1", ":8080", ":9090", ":1");
  let printed = "";
  forward.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ports = await until("kubectl forwards three ports", () => {
    const found = [...printed.matchAll(/127\.0\.0\.1:(\d+) ->/g)].map((match) => match[1]);
    return found.length === 3 && found;
  });

  assert.equal(await answerOf(ports[0]), "all ports");
  assert.equal(await answerOf(ports[0]), "all ports");
  assert.equal(await answerOf(ports[1]), "metrics");
});

it("kubectl port-forward is refused on a port that no container declares", async (t) => {
  await runningPod("deaf", {});
  const forward = start(t, "port-forward", "pod/deaf", "--address=127.0.0.1", ":1");
  const errors = text(forward.stderr);
  const [line] = (await once(forward.stdout, "data")) as [Buffer];
  const port = /127\.0\.0\.1:(\d+) ->/.exec(line.toString())?.[1];

  await assert.rejects(answerOf(port));

  forward.kill();
  assert.match(await errors, /connection refused/);
});

it("port-forward works over WebSocket, and ends with the pod", async (t) => {
  await runningPod("socket", {});
  const config = new KubeConfig();
  config.loadFromFile(cluster.kubeConfig);
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const socket = await new PortForward(config).portForward(namespace, "socket", [8080], output, errors, input);
  assert.ok("close" in socket);
  t.after(() => socket.close());

  input.write("GET / HTTP/1.1\r\nHost: socket\r\n\r\n");

  let received = "";
  output.on("data", (chunk: Buffer) => (received += chunk.toString()));
  await until("the port answers", () => received.endsWith("pod socket port 8080\n"));
  assert.match(received, /^HTTP\/1\.1 200 OK\r\n/);
  await cluster.request("DELETE", podPath("socket"));
  await until("the connection has ended", () => socket.readyState === socket.CLOSED);
});

function podPath(name?: string): string {
  return `/api/v1/namespaces/${namespace}/pods${name === undefined ? "" : `/${name}`}`;
}

function pod(name: string, annotations: Record<string, string>): object {
  const ports = [{ containerPort: 8080 }, { containerPort: 9090 }];
  const containers = [
    { name: "web", image: "none", ports },
    { name: "sidecar", image: "none" },
  ];
  return { metadata: { name, annotations }, spec: { containers } };
}

async function runningPod(name: string, annotations: Record<string, string>): Promise<void> {
  await cluster.request("POST", podPath(), pod(name, annotations));
  await until(`the pod ${name} runs`, async () => {
    const { status } = await cluster.request<{ status: { phase: string } }>("GET", podPath(name));
    return status.phase === "Running";
  });
}

async function run(...args: string[]): Promise<string> {
  return (await promisify(execFile)(kubectl, [...access(), ...args])).stdout;
}

/** It ends with the test, however that ends. */
function start(t: TestContext, ...args: string[]) {
  const child = spawn(kubectl, [...access(), ...args], { stdio: ["ignore", "pipe", "pipe"] });
  t.after(() => child.kill());
  return child;
}

function access(): string[] {
  return ["--kubeconfig", cluster.kubeConfig, "--namespace", namespace];
}

async function answerOf(port: string | undefined): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } });
  return await response.text();
}
