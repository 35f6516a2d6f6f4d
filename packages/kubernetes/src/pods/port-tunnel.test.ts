import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, createServer as createHttpServer } from "node:http";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { it } from "node:test";
import { FakeClock, until } from "@rad/core/testing";
import { WebSocket, WebSocketServer } from "ws";
import { MemoryApiClient } from "../testing/memory-api-client.ts";
import { tunnel } from "./port-tunnel.ts";

const megabytes = 8;
const large = Buffer.alloc(megabytes << 20, "0123456789abcdef");

it("carries a large answer to a client that reads slowly, without keeping it in memory", async () => {
  let sent = 0;
  await using setUp = await open((pod) => {
    const next = (): void => {
      if (sent >= large.length) {
        pod.close();
        return;
      }
      const chunk = large.subarray(sent, sent + 65_536);
      pod.send(Buffer.concat([Buffer.from([0]), chunk]), () => {
        sent += chunk.length;
        next();
      });
    };
    next();
  });
  const client = await setUp.connect();
  client.pause();
  let before = -1;
  // The pod stops sending when the buffers on the way are full.
  await until("nothing more is taken", async () => {
    const same = sent === before;
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 50));
    return same && sent > 0;
  });

  const answer = await buffer(client);

  assert.ok(answer.equals(large));
});

it("carries a large request", async () => {
  const received: Buffer[] = [];
  await using setUp = await open((pod) => {
    pod.on("message", (message: Buffer) => received.push(message.subarray(1)));
  });
  const client = await setUp.connect();

  client.end(large);
  await until("everything has arrived", () => received.reduce((sum, { length }) => sum + length, 0) === large.length);

  assert.ok(Buffer.concat(received).equals(large));
});

it("delivers the answer after the client's end, and gives up when the pod is silent for long", async () => {
  const pods: WebSocket[] = [];
  await using setUp = await open((pod) => pods.push(pod));
  const client = await setUp.connect();
  client.end("question");
  let answer = "";
  client.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  await until("it waits for the pod", () => setUp.clock.sleeping === 1);

  setUp.clock.advance(20_000);
  pods[0]?.send(Buffer.from("\0answer"));
  await until("the answer is there", () => answer === "answer");
  setUp.clock.advance(10_000);
  await until("it waits on", () => setUp.clock.sleeping === 1);
  const isClosed = client.closed;
  setUp.clock.advance(20_000);
  await once(client, "close");

  assert.equal(isClosed, false);
  await until("the pod's connection is closed", () => pods[0]?.readyState === WebSocket.CLOSED);
});

it("tells what the kubelet says about the port", async () => {
  await using setUp = await open((pod) => pod.send(Buffer.from("\x01connection refused")));
  const client = await setUp.connect();

  await buffer(client);

  await until("it is told", () => setUp.problems.length === 1);
  assert.equal(setUp.problems[0], "Port 8080 of pod 'web-1' cannot be reached: connection refused");
});

it("closes the pod's connection when the client resets its own", async () => {
  const pods: WebSocket[] = [];
  await using setUp = await open((pod) => pods.push(pod));
  const client = await setUp.connect();
  await until("the pod is connected", () => pods.length === 1);

  client.resetAndDestroy();

  await until("the pod's connection is closed", () => pods[0]?.readyState === WebSocket.CLOSED);
  assert.deepEqual(setUp.problems, []);
});

/** An API server that forwards ports as a kubelet does, and a listener whose connections are carried to it. */
async function open(serve: (pod: WebSocket) => void) {
  const http = createHttpServer();
  const webSockets = new WebSocketServer({ server: http, perMessageDeflate: false });
  webSockets.on("connection", (pod, { url }) => {
    assert.equal(url, "/api/v1/namespaces/shop/pods/web-1/portforward?ports=8080");
    assert.equal(pod.protocol, "v4.channel.k8s.io");
    pod.send(Buffer.from([0, 0x90, 0x1f]));
    pod.send(Buffer.from([1, 0x90, 0x1f]));
    serve(pod);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const agent = new Agent();
  const api = new MemoryApiClient();
  api.connection = async () => ({
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    headers: {},
    agent,
  });
  const stop = new AbortController();
  const clock = new FakeClock();
  const problems: string[] = [];
  const tunnels: Promise<void>[] = [];
  const listener = createServer({ allowHalfOpen: true }, (socket) => {
    const options = { namespace: "shop", pod: "web-1", port: 8080, clock, signal: stop.signal };
    tunnels.push(tunnel(api, socket, options).catch((error: unknown) => void problems.push((error as Error).message)));
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    clock,
    problems,
    async connect(): Promise<Socket> {
      const socket = connect({ host: "127.0.0.1", port: (listener.address() as AddressInfo).port });
      socket.on("error", () => undefined);
      await once(socket, "connect");
      return socket;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      stop.abort();
      await Promise.all(tunnels);
      for (const pod of webSockets.clients) {
        pod.terminate();
      }
      listener.close();
      agent.destroy();
      http.close();
      assert.equal(clock.sleeping, 0);
    },
  };
}
