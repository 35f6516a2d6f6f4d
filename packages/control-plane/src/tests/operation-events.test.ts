// Following operations by server-sent events.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { isTerminal, type JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import type { ResourceHandler } from "@rad/resources";
import fc from "fast-check";
import { deploymentsVersion, moduleResource, radiusResource, radiusTemplate } from "../testing/templates.ts";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { EventStream, followWithCuts, lastStates, type SeenEvent } from "./support/follow-events.ts";
import { RawConnection } from "./support/raw-connection.ts";

const group = `${local}/resourcegroups/following`;
const works = "Test.Follow/works@2025-01-01";
const settings = "Radius.Core/settings@2025-01-01"; // synchronous

const gates = new Map<string, PromiseWithResolvers<void>>();

/** Works whose name begins with `held` wait for their gate; those with `steps` report that many. */
const working: ResourceHandler = {
  put: async (context) => {
    const { id, properties } = context;
    for (let index = 1; index <= Number(properties["steps"] ?? 0); index += 1) {
      await context.step(`step ${index}`, async () => {});
    }
    if (id.name.startsWith("held")) {
      await context.step("wait", () => gateOf(id.name).promise);
    }
  },
};

function gateOf(name: string): PromiseWithResolvers<void> {
  const gate = gates.get(name) ?? Promise.withResolvers<void>();
  gates.set(name, gate);
  return gate;
}

let server: TestServer;
before(async () => {
  server = await startTestServer({ handlers: { "Test.Follow/works": working } });
  await prepare(server);
});
after(() => server[Symbol.asyncDispose]());

async function prepare(prepared: TestServer): Promise<void> {
  await prepared.register("Radius.Core", { settings: {} });
  await prepared.register("Test.Follow", {
    works: {
      type: "object",
      properties: { steps: { type: "integer" }, secret: { type: "string", "x-radius-sensitive": true } },
    },
  });
  await prepared.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
}

const linkOf = (reply: Reply): string => reply.headers.get("azure-asyncoperation") ?? "";

async function putWork(name: string, properties: JsonObject = {}): Promise<string> {
  const path = `${group}/providers/Test.Follow/works/${name}?api-version=2025-01-01`;
  return linkOf(await server.call("PUT", path, { body: { location: "global", properties } }));
}

async function deploy(name: string, template: JsonObject, parameters: JsonObject = {}): Promise<string> {
  const path = `${group}/providers/Microsoft.Resources/deployments/${name}?${deploymentsVersion}`;
  const reply = await server.call("PUT", path, { body: { properties: { mode: "Incremental", template, parameters } } });
  assert.ok(reply.status < 300, reply.text);
  return linkOf(reply);
}

function follow(link: string, lastEventId?: string): Promise<EventStream> {
  return EventStream.open(link, { token: server.token, lastEventId });
}

/** A module with something synchronous and something that takes a moment, beside the same outside. */
function mixedTemplate(name: string, held: string[] = []): JsonObject {
  const inner = radiusTemplate({
    resources: {
      one: radiusResource(settings, `${name}-inner-setting`),
      two: radiusResource(works, `${name}-inner-work`, { dependsOn: ["one"] }),
    },
  });
  return radiusTemplate({
    resources: {
      setting: radiusResource(settings, `${name}-setting`),
      work: radiusResource(works, `${name}-work`, { properties: { steps: 2 } }),
      inner: moduleResource(`${name}-inner`, inner),
      ...Object.fromEntries(held.map((work) => [work, radiusResource(works, work, { dependsOn: ["inner"] })])),
    },
  });
}

async function listedRecords(...names: readonly string[]): Promise<Record<string, JsonObject>> {
  const lists = await Promise.all(
    names.map((name) =>
      server.call("GET", `${group}/providers/Microsoft.Resources/deployments/${name}/operations?${deploymentsVersion}`),
    ),
  );
  const records = lists.flatMap(({ body }) => body["value"] as JsonObject[]);
  return lastStates(records.map((data) => ({ id: "", event: "", data })));
}

const statesOf = (events: readonly SeenEvent[]): unknown[] =>
  events.filter(({ event }) => event === "status").map(({ data }) => data["status"]);

it("speaks the protocol as it is on the wire", async () => {
  const link = new URL(await putWork("held-wire"));
  using connection = await RawConnection.open(server.url);
  connection.send(
    `GET ${link.pathname}${link.search} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n`,
  );
  await until("the status is there", () => connection.received.includes('"status":"Updating"'));
  gateOf("held-wire").resolve();
  const [head = "", body = ""] = (await connection.end()).split(/\r\n\r\n(.*)/s);

  assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(head, /\r\ncontent-type: text\/event-stream; charset=utf-8(\r\n|$)/i);
  assert.match(head, /\r\ncache-control: no-store(\r\n|$)/i);
  assert.match(head, /\r\nx-accel-buffering: no(\r\n|$)/i);
  const text = body.replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n/gi, ""); // chunk sizes
  const lines = text.trimEnd().split("\n");
  assert.equal(lines[0], "retry: 1000");
  assert.ok(
    lines.every((line) => /^(retry: 1000|id: [\w-]+\/\S*|event: status|data: \{.*\}|:|)$/.test(line)),
    text,
  );
  assert.match(body, /\r\n0\r\n\r\n$/);
});

it("sends the status as JSON has it, at every step and at last, and then ends", async () => {
  const link = await putWork("held-steps", { steps: 3 });
  const stream = await follow(link);
  await until("it waits", () => stream.text.includes('"name":"wait"'));
  const asJson = await server.call("GET", link.slice(server.url.length));
  assert.deepEqual(stream.events.at(-1)?.data, asJson.body);
  gateOf("held-steps").resolve();
  await stream.closed;
  const ended = await server.call("GET", link.slice(server.url.length));

  assert.equal(stream.status, 200);
  assert.deepEqual(stream.events.at(-1)?.data, ended.body);
  assert.equal(JSON.stringify(stream.events.at(-1)?.data), JSON.stringify(ended.body));
  assert.deepEqual(statesOf(stream.events).at(-1), "Succeeded");
  assert.equal(statesOf(stream.events).filter((state) => isTerminal(String(state))).length, 1);
  assert.match(ended.text, /^\{"id"/);
});

it("sends JSON where the events are not asked for, and for HEAD and results", async () => {
  const link = (await putWork("json")).slice(server.url.length);
  const plain = await server.call("GET", link);
  const any = await server.call("GET", link, { headers: { accept: "*/*" } });
  const head = await server.call("HEAD", link, { headers: { accept: "text/event-stream" } });
  const result = await server.call("GET", link.replace(/operationStatuses/i, "operationResults"), {
    headers: { accept: "text/event-stream" },
  });

  for (const { headers } of [plain, any, head]) {
    assert.equal(headers.get("content-type"), "application/json");
  }
  assert.ok(result.status === 202 || result.status === 204);
});

it("tells every record of a deployment and of what is nested in it, the end last", async () => {
  const link = await deploy("mixed", mixedTemplate("mixed", ["held-mixed"]));
  const early = await follow(link);
  await until("the work is held", () => early.text.includes("held-mixed"));
  const late = await follow(link);
  await until("it has caught up", () => late.text.includes("held-mixed"));
  gateOf("held-mixed").resolve();
  await Promise.all([early.closed, late.closed]);
  const afterwards = await follow(link);
  await afterwards.closed;
  const expected = await listedRecords("mixed", "mixed-inner");

  assert.equal(Object.keys(expected).length, 6);
  for (const { events } of [early, late, afterwards]) {
    const { [String(events.at(-1)?.data["id"]).toLowerCase()]: status, ...records } = lastStates(events);
    assert.deepEqual(records, expected);
    assert.equal(status?.["status"], "Succeeded");
    assert.equal(events.at(-1)?.event, "status");
    assert.equal(new Set(events.map(({ id }) => id)).size > 1, true);
  }
  assert.equal(late.events[0]?.event, "status");
  assert.equal(afterwards.events.filter(({ event }) => event === "status").length, 1);
  const states = early.events.filter(({ data }) => JSON.stringify(data).includes("/held-mixed"));
  assert.deepEqual(
    states.map(({ data }) => (data["properties"] as JsonObject)["provisioningState"]),
    ["Running", "Succeeded"],
  );
});

it("answers 204 to who has seen the end, and starts over for ids it does not know", async () => {
  const link = await deploy("resume", mixedTemplate("resume"));
  const stream = await follow(link);
  await stream.closed;
  const last = stream.events.at(-1)?.id ?? "";
  const other = await putWork("other-end");
  const otherStream = await follow(other);
  await otherStream.closed;

  assert.equal((await follow(link, last)).status, 204);
  for (const unknown of [
    "",
    "x",
    "//",
    last.replace("end", "2026-99-01T00:00:00.0000000Z"),
    otherStream.events.at(-1)?.id ?? "",
  ]) {
    const again = await follow(link, unknown);
    await again.closed;
    assert.deepEqual(lastStates(again.events), lastStates(stream.events), unknown);
  }
});

it("misses nothing however often a follower is cut off", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 40 }), async (cuts) => {
      run += 1;
      const link = await deploy(`cut-${run}`, mixedTemplate(`cut-${run}`, [`held-${run}`]));
      const whole = follow(link);
      const cut = followWithCuts(() => link, server.token, cuts);
      gateOf(`held-${run}`).resolve();
      const seen = await cut;
      await (
        await whole
      ).closed;

      assert.deepEqual(lastStates(seen), lastStates((await whole).events));
      assert.equal(seen.at(-1)?.event, "status");
    }),
    { numRuns: 20 },
  );
});

it("gets a follower to the end who never stays for more than one event", async () => {
  const link = await deploy("impatient", mixedTemplate("impatient", ["held-impatient"]));
  const cut = followWithCuts(() => link, server.token, Array<number>(1_000).fill(1));
  gateOf("held-impatient").resolve();
  const seen = await cut;
  const whole = await follow(link);
  await whole.closed;

  assert.deepEqual(lastStates(seen), lastStates(whole.events));
});

it("resumes without sending again what is long known", async () => {
  const link = await deploy("long", mixedTemplate("long", ["held-long"]));
  const first = await follow(link);
  await until("the work is held", () => first.text.includes("held-long"));
  const operationId = first.events[0]?.id.split("/")[0] ?? "";
  first[Symbol.dispose]();

  const later = new Date(Date.now() + 3_600_000).toISOString().replace("Z", "0000Z");
  const resumed = await follow(link, `${operationId}/${later}`);
  await until("the status is there", () => resumed.events.length === 1);
  gateOf("held-long").resolve();
  await resumed.closed;

  const targets = resumed.events.filter(({ event }) => event === "operation").map(({ data }) => JSON.stringify(data));
  assert.ok(targets.length > 0);
  assert.ok(targets.every((text) => text.includes("held-long") || text.includes('"Succeeded"')));
  assert.ok(!targets.some((text) => text.includes("long-inner-setting")));
});

it("goes on after a restart, and ends streams at once when the server stops", { timeout: 60_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), "radius-test-"));
  const start = () =>
    startTestServer({
      handlers: { "Test.Follow/works": working },
      overrides: { operations: { drainSeconds: 3_600 } },
      directory,
    });
  const first = await start();
  await prepare(first);
  const path = `${group}/providers/Microsoft.Resources/deployments/restarted?${deploymentsVersion}`;
  const template = mixedTemplate("restarted", ["held-restarted"]);
  const link = linkOf(await first.call("PUT", path, { body: { properties: { mode: "Incremental", template } } }));
  const before = await EventStream.open(link, { token: first.token });
  const reading = await RawConnection.open(first.url);
  const { pathname, search } = new URL(link);
  reading.send(
    `GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${first.token}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  await until("the work is held", () =>
    [before.text, reading.received].every((text) => text.includes("held-restarted")),
  );

  const stopped = first[Symbol.asyncDispose]();
  await before.closed;
  gateOf("held-restarted").resolve();
  await stopped;
  await reading.end();
  await using second = await start();
  const resumed = await EventStream.open(link.replace(first.url, second.url), {
    token: second.token,
    lastEventId: before.events.at(-1)?.id,
  });
  await resumed.closed;
  const whole = await EventStream.open(link.replace(first.url, second.url), { token: second.token });
  await whole.closed;

  assert.equal(whole.events.at(-1)?.data["status"], "Succeeded");
  assert.deepEqual(lastStates([...before.events, ...resumed.events]), lastStates(whole.events));
  await rm(directory, { recursive: true });
});

it("has room again as soon as somebody who follows is gone", async () => {
  await using small = await startTestServer({
    handlers: { "Test.Follow/works": working },
    overrides: { server: { limits: { maxEventStreams: 2 } }, operations: { drainSeconds: 1 } },
  });
  await prepare(small);
  const path = `${group}/providers/Test.Follow/works/held-room?api-version=2025-01-01`;
  const link = linkOf(await small.call("PUT", path, { body: { location: "global", properties: {} } }));
  const open = (): Promise<EventStream> => EventStream.open(link, { token: small.token });
  const [gone, stays, refused] = [await open(), await open(), await open()];
  await refused.closed;
  assert.equal(refused.status, 503);
  assert.equal(refused.headers["retry-after"], "5");
  assert.match(refused.text, /"code":"ServiceUnavailable"/);

  gone[Symbol.dispose]();
  const again = await until("there is room", async () => {
    const stream = await open();
    return stream.status === 200 && stream;
  });
  gateOf("held-room").resolve();
  await Promise.all([again.closed, stays.closed]);

  assert.equal(again.events.at(-1)?.data["status"], "Succeeded");
});

it("shows no secret in any event", async () => {
  const secret = "canary-in-events-7731";
  const template = radiusTemplate({
    parameters: { key: { type: "securestring" } },
    resources: {
      work: radiusResource(works, "secret-work", { properties: { secret: "[parameters('key')]" } }),
      bad: radiusResource(works, "secret-bad", { properties: { steps: "[parameters('key')]" } }),
    },
  });
  const link = await deploy("secret", template, { key: { value: secret } });
  const stream = await follow(link);
  await stream.closed;

  assert.equal(stream.events.at(-1)?.data["status"], "Failed");
  assert.ok(stream.events.length >= 3);
  assert.ok(!stream.text.includes(secret));
});
