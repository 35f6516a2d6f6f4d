import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { after, it } from "node:test";
import { until } from "@rad/core/testing";
import { clientOf, targetOf } from "../testing/client-of.ts";
import { faultyProxy, testCluster } from "../testing/index.ts";
import { deploymentOf } from "../testing/workloads.ts";
import { followLogs } from "./follow-logs.ts";
import { forwardPort } from "./forward-port.ts";
import { runningPods } from "./running-pods.ts";

const cluster = await testCluster();
const direct = await clientOf(cluster);
const target = await targetOf(cluster);
const never = new AbortController().signal;
const selector = "app=web";
after(async () => {
  await target[Symbol.asyncDispose]();
  direct[Symbol.dispose]();
});

it("neither repeats nor leaves out a line when connections are cut", async () => {
  const { namespace, pod } = await start({ logs: "line 0" });
  await using proxy = await faultyProxy(cluster);
  using client = await clientOf(proxy);
  const stop = new AbortController();
  const lines: string[] = [];
  const reading = (async () => {
    for await (const entry of followLogs(client, { namespace, selector, follow: true, signal: stop.signal })) {
      if (entry.kind === "line") {
        lines.push(entry.line);
      }
    }
  })();
  const expected = ["line 0"];
  await until("the first line is there", () => lines.length === 1);

  for (let cut = 1; cut <= 5; cut += 1) {
    proxy.cut();
    expected.push(`line ${cut}`);
    const annotations = { "kube-test-server/logs": expected.join("\n") };
    await cluster.request("PATCH", `/api/v1/namespaces/${namespace}/pods/${pod}`, { metadata: { annotations } });
    await until("the next line is there", () => lines.length > cut);
  }
  stop.abort();
  await reading;

  assert.deepEqual(lines, expected);
});

it("ends the connections of a forwarded port that are cut, and carries new ones", async () => {
  const { namespace, pod } = await start({ answer: "hello" });
  await using proxy = await faultyProxy(cluster);
  using client = await clientOf(proxy);
  await using forward = await forwardPort(client, { namespace, pod, localPort: 0, remotePort: 8080, signal: never });
  const waiting = connect({ host: "127.0.0.1", port: forward.localPort });
  await once(waiting, "connect");
  await until("it is carried", () => proxy.requests.some((request) => request.includes("/portforward")));

  proxy.cut();
  const closed = once(waiting.resume(), "close");
  await closed;
  const next = connect({ host: "127.0.0.1", port: forward.localPort });
  next.end("not HTTP\n");

  assert.equal(await text(next), "hello");
});

async function start(wish: Record<string, string>): Promise<{ namespace: string; pod: string }> {
  const namespace = await cluster.namespace("faults");
  const { object } = await target.apply(deploymentOf({ namespace, ports: [8080], wish }), { signal: never });
  await target.ready(object, { signal: never });
  const [pod] = await runningPods(direct, { namespace, selector, signal: never });
  assert.ok(pod);
  return { namespace, pod: pod.name };
}
