import assert from "node:assert/strict";
import { once } from "node:events";
import { get } from "node:http";
import { connect, createServer } from "node:net";
import { after, it } from "node:test";
import { text } from "node:stream/consumers";
import { until } from "@rad/core/testing";
import { clientOf, targetOf } from "../testing/client-of.ts";
import { testCluster } from "../testing/index.ts";
import { untilNothingIsLeft } from "../testing/open-handles.ts";
import { deploymentOf, type Workload } from "../testing/workloads.ts";
import { forwardPort } from "./forward-port.ts";
import { type ForwardEvent, forwardPorts } from "./forward-ports.ts";
import { runningPods } from "./running-pods.ts";

const cluster = await testCluster();
const client = await clientOf(cluster);
const target = await targetOf(cluster);
const never = new AbortController().signal;
after(async () => {
  await target[Symbol.asyncDispose]();
  client[Symbol.dispose]();
});

it("carries requests to a port of a pod, many at once", async () => {
  const { namespace, pod } = await start({ ports: [8080], wish: { answer: "hello" } });
  await using forward = await forwardPort(client, { namespace, pod, localPort: 0, remotePort: 8080, signal: never });

  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(forward.localPort)));

  assert.deepEqual(new Set(answers), new Set(["hello"]));
});

it("delivers the answer to a client that has said all it has to say", async () => {
  const { namespace, pod } = await start({ ports: [8080], wish: { answer: "bye" } });
  await using forward = await forwardPort(client, { namespace, pod, localPort: 0, remotePort: 8080, signal: never });
  const socket = connect({ host: "127.0.0.1", port: forward.localPort });

  socket.end("not HTTP\n");

  assert.equal(await text(socket), "bye");
});

it("carries a large answer", async () => {
  const answer = "x".repeat(200_000);
  const { namespace, pod } = await start({ ports: [8080], wish: { answer } });
  await using forward = await forwardPort(client, { namespace, pod, localPort: 0, remotePort: 8080, signal: never });

  assert.equal(await ask(forward.localPort), answer);
});

it("says that nothing listens on the port, and stays open for the next connection", async () => {
  const { namespace, pod } = await start({ ports: [8080] });
  const notes: string[] = [];
  const options = { namespace, pod, localPort: 0, remotePort: 9090, signal: never };
  await using forward = await forwardPort(client, { ...options, note: (note) => notes.push(note) });

  await assert.rejects(ask(forward.localPort));
  await assert.rejects(ask(forward.localPort));

  assert.equal(notes.length, 2);
  assert.match(notes[0] ?? "", /^Port 9090 of pod '.*' cannot be reached: .*connection refused/);
});

it("says that there is no such pod", async () => {
  const namespace = await cluster.namespace("ports");
  const notes: string[] = [];
  const options = { namespace, pod: "gone", localPort: 0, remotePort: 80, signal: never };
  await using forward = await forwardPort(client, { ...options, note: (note) => notes.push(note) });

  await assert.rejects(ask(forward.localPort));

  assert.deepEqual(notes, ["Port 80 of pod 'gone' cannot be reached: pods \"gone\" not found"]);
});

it("says that the local port is taken", async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };

  const forward = forwardPort(client, {
    namespace: "default",
    pod: "any",
    localPort: port,
    remotePort: 80,
    signal: never,
  });

  await assert.rejects(forward, { code: "Conflict", message: new RegExp(`Port ${port} of localhost`) });
  server.close();
});

it("listens on localhost only", async () => {
  await using forward = await forwardPort(client, {
    namespace: "default",
    pod: "any",
    localPort: 0,
    remotePort: 80,
    signal: never,
  });
  const socket = connect({ host: "127.0.0.2", port: forward.localPort });

  await assert.rejects(once(socket, "connect"), { code: "ECONNREFUSED" });
});

it("forwards all ports of a Deployment, and goes on with the next pod when one is replaced", async () => {
  const { namespace, pod } = await start({
    ports: [18_080, 18_081],
    wish: { "answer.18080": "web", "answer.18081": "admin" },
  });
  const stop = new AbortController();
  const events: ForwardEvent[] = [];
  const report = (event: ForwardEvent): void => void events.push(event);
  const forwarding = forwardPorts(client, { namespace, selector, report, signal: stop.signal });
  await until("both ports are open", () => connected(events).length === 2);
  const [web, admin] = connected(events);
  const answers = [await ask(web?.localPort), await ask(admin?.localPort)];

  await cluster.request("DELETE", `/api/v1/namespaces/${namespace}/pods/${pod}`);
  await until("the next pod is connected", () => connected(events).length === 4);
  const after = await ask(web?.localPort);
  stop.abort();
  await forwarding;

  assert.deepEqual(
    events.slice(0, 2).map(({ kind, resource, remotePort }) => `${kind} ${resource} ${remotePort}`),
    ["connected web 18080", "connected web 18081"],
  );
  assert.deepEqual(answers, ["web", "admin"]);
  assert.equal(after, "web");
  assert.deepEqual(
    events.filter(({ kind }) => kind === "disconnected").map((event) => event.pod === pod),
    [true, true, false, false],
  );
  await assert.rejects(ask(web?.localPort), { code: "ECONNREFUSED" });
});

it("takes another local port when the container's is taken", async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const { namespace } = await start({ ports: [port], wish: { answer: "elsewhere" } });
  const stop = new AbortController();
  const events: ForwardEvent[] = [];
  const report = (event: ForwardEvent): void => void events.push(event);

  const forwarding = forwardPorts(client, { namespace, selector, report, signal: stop.signal });
  await until("the port is open", () => connected(events).length === 1);
  const [open] = connected(events);
  const answer = await ask(open?.localPort);
  stop.abort();
  await forwarding;
  server.close();

  assert.notEqual(open?.localPort, port);
  assert.equal(answer, "elsewhere");
});

it("leaves no socket, server or timer behind, not even of a connection in use", async () => {
  const { namespace } = await start({ ports: [18_090] });
  const other = await clientOf(cluster);
  const before = process.getActiveResourcesInfo();
  const stop = new AbortController();
  const events: ForwardEvent[] = [];
  const report = (event: ForwardEvent): void => void events.push(event);
  const forwarding = forwardPorts(other, { namespace, selector, report, signal: stop.signal });
  await until("the port is open", () => connected(events).length === 1);
  const sockets = Array.from({ length: 5 }, () =>
    connect({ host: "127.0.0.1", port: connected(events)[0]?.localPort ?? 0 }),
  );
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const closed = Promise.all(
    sockets.map((socket) => {
      socket.on("error", () => undefined); // a reset is as good as an end
      return new Promise((resolve) => void socket.once("close", resolve));
    }),
  );

  stop.abort();
  await forwarding;
  for (const socket of sockets) {
    socket.resume();
  }
  await closed;
  other[Symbol.dispose]();

  await untilNothingIsLeft(before);
});

const labels = { "radapp.io/application": "shop", "radapp.io/resource": "web" };
const selector = "radapp.io/application=shop";

async function start(workload: Omit<Workload, "namespace">): Promise<{ namespace: string; pod: string }> {
  const namespace = await cluster.namespace("ports");
  const { object } = await target.apply(deploymentOf({ ...workload, namespace, labels }), { signal: never });
  await target.ready(object, { signal: never });
  const [pod] = await runningPods(client, { namespace, selector, signal: never });
  assert.ok(pod);
  return { namespace, pod: pod.name };
}

function connected(events: readonly ForwardEvent[]): { readonly localPort: number }[] {
  return events.flatMap((event) => (event.kind === "connected" ? [event] : []));
}

async function ask(port = 0): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  get({ host: "127.0.0.1", port, agent: false }, (response) => void text(response).then(resolve, reject)).once(
    "error",
    reject,
  );
  return await promise;
}
