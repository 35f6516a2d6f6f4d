import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { until } from "@rad/core/testing";
import type { ClientOptions } from "../client.ts";
import { createClient } from "../create-client.ts";
import { startTestServer } from "../testing/index.ts";
import type { RecordedRequest } from "../testing/test-server.ts";
import type { OperationEvent } from "./follow-operation.ts";

const link = "/planes/radius/local/providers/A.B/locations/global/operationStatuses/1";
const deployment = "/planes/radius/local/resourceGroups/g/providers/Microsoft.Resources/deployments/d";

const status = (id: string, state: string): string =>
  `id: ${id}\nevent: status\ndata: ${JSON.stringify({ id: link, status: state })}\n\n`;
const record = (id: string, state: string): string => {
  const body = { id: `${deployment}/operations/R1`, operationId: "R1", properties: { provisioningState: state } };
  return `id: ${id}\nevent: operation\ndata: ${JSON.stringify(body)}\n\n`;
};
const end = status("9", "Succeeded");

type Answer = (response: ServerResponse, request: RecordedRequest) => void;

/** Sends this as a stream, and ends it unless it is to go on. */
const stream =
  (text: string, after: "end" | "break" | "stay" = "end"): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.write(text, () => {
      if (after === "end") {
        response.end();
      } else if (after === "break") {
        response.destroy();
      }
    });
  };
const json =
  (code: number, body: object): Answer =>
  (response) => {
    response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
const refused = (code: number): Answer => json(code, { error: { code: "No", message: "no" } });

/** A server that answers one request after the other with these, the last of them for ever. */
async function answering(answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const server = await startTestServer({
    intercept: (request, response) => {
      const answer = answers[Math.min(server.requests.length, answers.length) - 1];
      answer?.(response, request);
      return true;
    },
  });
  const waits: number[] = [];
  const sleep = async (ms: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    waits.push(ms);
  };
  return { server, waits, client: createClient({ endpoint: server.url, sleep, ...options }) };
}

const told = (event: OperationEvent): string =>
  event.kind === "status" ? event.status.status : `${event.operation.operationId} ${event.operation.state}`;

async function collect(answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const { server, waits, client } = await answering(answers, options);
  await using _server = server;
  const events = await client.operations.follow(link);
  const seen: string[] = [];
  for await (const event of events ?? []) {
    seen.push(told(event));
  }
  return { hasEvents: events !== undefined, seen, waits, requests: server.requests };
}

test("events are told up to the outcome, by one request", async () => {
  const { seen, requests } = await collect([
    stream(`retry: 7\n\n${status("1", "Updating")}${record("2", "Running")}event: later\ndata: x\n\n:\n\n${end}`),
  ]);

  assert.deepEqual(seen, ["Updating", "R1 Running", "Succeeded"]);
  assert.deepEqual(
    requests.map(({ headers }) => headers.accept),
    ["text/event-stream, application/json;q=0.9"],
  );
});

test("a record says which deployment it belongs to", async () => {
  const { server, client } = await answering([stream(record("1", "Running") + end)]);
  await using _server = server;

  for await (const event of (await client.operations.follow(link)) ?? []) {
    assert.equal(event.kind === "operation" ? event.deploymentId : deployment, deployment);
  }
});

test("a stream that ends or breaks is taken up where it stopped", async () => {
  const { seen, waits, requests } = await collect([
    stream(`retry: 20\n\n${status("1", "Updating")}${record("2", "Running")}`, "break"),
    (response) => void response.destroy(),
    refused(503),
    stream("retry: 1000\n\n"),
    stream(record("3", "Succeeded"), "end"),
    stream(end),
  ]);

  assert.deepEqual(seen, ["Updating", "R1 Running", "R1 Succeeded", "Succeeded"]);
  assert.deepEqual(
    requests.map(({ headers }) => headers["last-event-id"]),
    [undefined, "2", "2", "2", "2", "3"],
  );
  assert.deepEqual(waits, [20, 30, 45, 67.5, 1_000]);
});

test("a control plane that stays away is given up after half a minute", async () => {
  const { server, waits, client } = await answering([stream(status("1", "Updating")), refused(503)]);
  await using _server = server;
  const events = await client.operations.follow(link);

  await assert.rejects(
    async () => {
      for await (const _event of events ?? []);
    },
    { code: "OperationLost" },
  );
  const total = waits.reduce((sum, ms) => sum + ms, 0);
  assert.ok(total >= 30_000 && total < 40_000, String(total));
});

test("a server that wants no pause before the next try is given up too", async () => {
  const breakOff: Answer = (response) => void response.destroy();
  const { server, waits, client } = await answering([stream(`retry: 0\n\n${status("1", "Updating")}`), breakOff]);
  await using _server = server;
  const events = await client.operations.follow(link);

  await assert.rejects(
    async () => {
      for await (const _event of events ?? []) {
        // until it is given up
      }
    },
    { code: "OperationLost" },
  );
  assert.ok(waits.every((ms) => ms > 0));
});

test("a refusal on the way is told", async () => {
  const { server, client } = await answering([stream(status("1", "Updating")), refused(403)]);
  await using _server = server;
  const events = await client.operations.follow(link);

  await assert.rejects(
    async () => {
      for await (const _event of events ?? []);
    },
    { status: 403 },
  );
});

for (const [what, answer] of [
  ["JSON", json(200, { id: link, status: "Updating" })],
  ["406", refused(406)],
  ["503", refused(503)],
  ["403", refused(403)],
  ["another type", (response) => void response.writeHead(200, { "content-type": "text/plain" }).end("hello")],
  ["204", (response) => void response.writeHead(204).end()],
  ["a stream without an event", stream("retry: 1000\n\n")],
  ["a stream that breaks before the first event", stream("retry: 1000\n\n", "break")],
  ["no answer", (response) => void response.destroy()],
] satisfies [string, Answer][]) {
  test(`there are no events where the answer is ${what}`, async () => {
    const { hasEvents, requests } = await collect([answer]);

    assert.equal(hasEvents, false);
    assert.equal(requests.length, 1);
  });
}

for (const [what, text] of [
  ["no JSON", "event: status\ndata: {\n\n"],
  ["no status", "event: status\ndata: {}\n\n"],
  ["too long", `data: ${"x".repeat(9 * 1024 * 1024)}`],
] as const) {
  test(`events that are ${what} end the stream without an outcome`, async () => {
    const { seen, requests } = await collect([stream(`${status("1", "Updating")}${text}`, "stay")]);

    assert.deepEqual(seen, ["Updating"]);
    assert.equal(requests.length, 1);
  });
}

test("events end without an outcome when the next connection brings none", async () => {
  const { seen } = await collect([stream(status("1", "Updating")), json(200, { id: link, status: "Updating" })]);

  assert.deepEqual(seen, ["Updating"]);
});

/** Lets time pass once the server has been asked so often, and has answered. */
async function pass(t: TestContext, requests: readonly unknown[], count: number, ms: number): Promise<void> {
  while (requests.length < count) {
    await setImmediate();
  }
  for (let turn = 0; turn < 50; turn += 1) {
    await setImmediate();
  }
  t.mock.timers.tick(ms);
}

test("a proxy that keeps the first event back is not waited for", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { server, client } = await answering([stream("retry: 1000\n\n", "stay")]);
  await using _server = server;

  const following = client.operations.follow(link);
  await pass(t, server.requests, 1, 5_001);

  assert.equal(await following, undefined);
});

/** Says something again and again that is no event. */
const chatter =
  (type: string, text: string): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": type }).write(text);
    const timer = setInterval(() => response.write(":\n\n"), 20);
    response.once("close", () => clearInterval(timer));
  };

for (const type of ["text/event-stream", "text/html", "application/json"]) {
  test(`an answer of ${type} without an event and without an end is not waited for`, async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { server, client } = await answering([chatter(type, "{")]);
    await using _server = server;

    const following = client.operations.follow(link);
    await pass(t, server.requests, 1, 0);
    await new Promise((resolve) => void setInterval(resolve, 100).unref()); // several times what is no event
    t.mock.timers.tick(5_001);

    assert.equal(await following, undefined);
  });
}

test("a server that goes on talking after the outcome is not listened to", { timeout: 20_000 }, async () => {
  const { seen } = await collect([chatter("text/event-stream", end)]);

  assert.deepEqual(seen, ["Succeeded"]);
});

test("a connection on which nothing arrives any more is replaced", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { server, client } = await answering([stream(status("1", "Updating"), "stay"), stream(end)]);
  await using _server = server;
  const events = await client.operations.follow(link);
  const seen: string[] = [];

  const reading = (async () => {
    for await (const event of events ?? []) {
      seen.push(told(event));
    }
  })();
  await pass(t, seen, 1, 45_001);
  await reading;

  assert.deepEqual(seen, ["Updating", "Succeeded"]);
  assert.equal(server.requests[1]?.headers["last-event-id"], "1");
});

test("a signal ends the iteration and the connection", async () => {
  let isClosed = false;
  const { server, client } = await answering([
    (response, request) => {
      response.once("close", () => (isClosed = true));
      stream(status("1", "Updating"), "stay")(response, request);
    },
  ]);
  await using _server = server;
  const controller = new AbortController();
  const events = await client.operations.follow(link, { signal: controller.signal });

  await assert.rejects(async () => {
    for await (const _event of events ?? []) {
      controller.abort(new Error("enough"));
    }
  }, /enough/);
  await until("the connection is closed", () => isClosed);
});

test("a connection is used again once its stream has ended", async () => {
  const ports: (number | undefined)[] = [];
  const { server, client } = await answering([
    (response, request) => {
      ports.push(response.socket?.remotePort);
      stream(end, "stay")(response, request);
      setTimeout(() => response.end(), 20);
    },
  ]);
  await using _server = server;

  for (let round = 0; round < 10; round += 1) {
    for await (const event of (await client.operations.follow(link)) ?? []) {
      assert.equal(told(event), "Succeeded");
      break;
    }
  }

  assert.equal(ports.length, 10);
  assert.ok(new Set(ports).size <= 3, `${new Set(ports).size} connections`);
});

test("leaving the iteration closes the connection", async () => {
  let isClosed = false;
  const { server, client } = await answering([
    (response, request) => {
      response.once("close", () => (isClosed = true));
      stream(status("1", "Updating"), "stay")(response, request);
    },
  ]);
  await using _server = server;

  for await (const _event of (await client.operations.follow(link)) ?? []) {
    break;
  }

  await until("the connection is closed", () => isClosed);
});

const widget = "/planes/radius/local/resourceGroups/dev/providers/Contoso.Test/widgets/w";

/** Puts a resource and looks on; the operation is answered like this. */
async function putWatched(answers: readonly Answer[]) {
  let asked = 0;
  await using server = await startTestServer({
    polls: 1,
    intercept: (request, response) => {
      const isStatus = request.path.includes("operationStatuses");
      const answer = isStatus ? answers[asked] : undefined;
      asked += isStatus ? 1 : 0;
      answer?.(response, request);
      return answer !== undefined;
    },
  });
  const client = createClient({ endpoint: server.url, sleep: async () => {} });
  const seen: string[] = [];
  const put = client.resources.put(widget, {}, { apiVersion: "x", onProgress: ({ status }) => seen.push(status) });
  const outcome = await put.then(
    () => "done",
    (error: unknown) => (error as { code: string }).code,
  );
  return { outcome, seen, requests: server.requests.map(({ method }) => method) };
}

test("who looks on at a put is told by events, with no more requests than without", async () => {
  const { outcome, seen, requests } = await putWatched([stream(status("1", "Updating") + end)]);

  assert.equal(outcome, "done");
  assert.deepEqual(seen, ["Updating", "Succeeded"]);
  assert.deepEqual(requests, ["PUT", "GET", "GET"]);
});

test("a put that fails is told by events too", async () => {
  const failed = { id: link, status: "Failed", error: { code: "Broken", message: "no" } };
  const { outcome } = await putWatched([stream(`event: status\ndata: ${JSON.stringify(failed)}\n\n`)]);

  assert.equal(outcome, "Broken");
});

test("a server without events costs no further request", async () => {
  const { outcome, seen, requests } = await putWatched([]);

  assert.equal(outcome, "done");
  assert.deepEqual(seen, ["Succeeded"]);
  assert.deepEqual(requests, ["PUT", "GET", "GET"]);
});

test("a put is waited for in another way when events stop or are refused", async () => {
  const stopped = await putWatched([stream(status("1", "Updating")), json(200, { id: link, status: "Updating" })]);
  const never = await putWatched([refused(406)]);

  assert.deepEqual(stopped.seen, ["Updating", "Succeeded"]);
  assert.deepEqual(never.seen, ["Succeeded"]);
});
