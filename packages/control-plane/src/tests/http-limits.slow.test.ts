// What the HTTP side does with slow, broken and unusual clients.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { after, before, it } from "node:test";
import { until } from "@rad/core/testing";
import type { ResourceHandler } from "@rad/resources";
import { local, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { auditOf } from "./support/audit.ts";
import { RawConnection } from "./support/raw-connection.ts";

const group = `${local}/resourcegroups/limits`;
const v = "api-version=2025-01-01";
const setting = (name: string): string => `${group}/providers/Radius.Core/settings/${name}?${v}`;

let server: TestServer;
let abandoned = 0;
const started = new Set<string>();
const handler: ResourceHandler = {
  put: async ({ id, properties, signal }) => {
    started.add(id.name);
    if (properties["waits"] === true) {
      await once(signal, "abort");
      abandoned += 1;
    }
    if (properties["insists"] === true) {
      await once(signal, "abort");
      signal.throwIfAborted();
    }
  },
};

async function start(requestTimeoutSeconds: number): Promise<TestServer> {
  const started = await startTestServer({
    overrides: { server: { limits: { requestTimeoutSeconds } } },
    handlers: { "Radius.Core/settings": handler },
  });
  await started.register("Radius.Core", { settings: {} });
  await started.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  return started;
}

before(async () => {
  server = await start(1);
});
after(() => server[Symbol.asyncDispose]());

async function assertStillServing(): Promise<void> {
  assert.equal((await server.call("GET", `${group}?${systemVersion}`)).status, 200);
}

const head = (...lines: readonly string[]): string =>
  [`PUT ${setting("raw")} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${server.token}`, ...lines, "", ""].join(
    "\r\n",
  );

const slow: readonly (readonly [string, () => string])[] = [
  ["headers that never end", () => "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"],
  ["a request line that never ends", () => "GET /heal"],
  [
    "a body that never ends",
    () => `${head("Content-Type: application/json", "Content-Length: 50")}{"location":"global",`,
  ],
  [
    "chunks that never end",
    () => `${head("Content-Type: application/json", "Transfer-Encoding: chunked")}5\r\n{"loc\r\n`,
  ],
];
it("a request that never finishes is cut with 408, wherever it stopped", async () => {
  await Promise.all(
    slow.map(async ([what, bytes]) => {
      using connection = await RawConnection.open(server.url);
      connection.send(bytes());

      const received = await connection.end();

      assert.match(received, /^HTTP\/1\.1 408 [^]*"code":"RequestTimeout"/, what);
    }),
  );
  assert.equal((await server.call("GET", setting("raw"))).status, 404);
});

it("work that gives up because the request takes too long is 408, and stores nothing", async () => {
  const reply = await server.call("PUT", setting("slow"), {
    body: { location: "global", properties: { insists: true } },
  });

  assert.deepEqual([reply.status, reply.code], [408, "RequestTimeout"]);
  assert.equal((await server.call("GET", setting("slow"))).status, 404);
});

it("bytes that are no HTTP are answered with 400 and the end of the connection", async () => {
  for (const garbage of [
    randomBytes(1_000),
    Buffer.alloc(1_000, "A"),
    Buffer.alloc(1_000),
    Buffer.from("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "latin1"), // how a TLS client begins
    Buffer.from(head("Content-Length: 5", "Content-Length: 6")),
    Buffer.from(head("Content-Length: 5", "Transfer-Encoding: chunked")),
    Buffer.from("GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n"),
    Buffer.from("GET /healthz HTTP/1.1\r\n\r\n"), // no host
  ]) {
    using connection = await RawConnection.open(server.url);
    connection.send(garbage);

    const received = await connection.end();

    assert.match(received, /^HTTP\/1\.1 400 /, JSON.stringify(garbage.toString("latin1").slice(0, 60)));
  }
  await assertStillServing();
});

it("garbage behind a good request does not take back its answer", async () => {
  using connection = await RawConnection.open(server.url);
  connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await until("the first answer is there", () => connection.received.includes("ok\n"));
  connection.send(randomBytes(1_000));

  const received = await connection.end();

  assert.match(received, /^HTTP\/1\.1 200 [^]*ok\n[^]*HTTP\/1\.1 400 /);
});

it("requests that are pipelined are answered in order", async () => {
  using connection = await RawConnection.open(server.url);
  const get = (path: string, ...more: string[]): string =>
    [`GET ${path} HTTP/1.1`, "Host: localhost", ...more, "", ""].join("\r\n");
  connection.send(get("/healthz") + get("/planes") + get("/version", "Connection: close"));

  const received = await connection.end();

  assert.deepEqual(
    [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ["200", "401", "200"],
  );
});

it("a client that hangs up is noticed by the work it asked for, and disturbs nobody", async () => {
  await using patient = await start(3_600); // so that it is not the time limit that stops the work
  const hangUp = new AbortController();
  const call = fetch(`${patient.url}${setting("left")}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${patient.token}`, "content-type": "application/json" },
    body: JSON.stringify({ location: "global", properties: { waits: true } }),
    signal: hangUp.signal,
  });
  await until("the handler runs", () => started.has("left"));

  hangUp.abort();

  await assert.rejects(call, { name: "AbortError" });
  await until("the handler was told", () => abandoned === 1);
  assert.equal((await patient.call("GET", `${group}?${systemVersion}`)).status, 200);
});

it("a client that hangs up in the middle of its body, or of a long answer, disturbs nobody", async () => {
  {
    using connection = await RawConnection.open(server.url);
    const correlation = "X-Ms-Correlation-Request-Id: hung-up";
    connection.send(`${head("Content-Type: application/json", "Content-Length: 5000", correlation)}{"location":`);
    await server.call("GET", "/healthz"); // by now the server has begun to read it
  }
  for (let index = 0; index < 20; index += 1) {
    using connection = await RawConnection.open(server.url);
    connection.send(`GET /audit HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\n\r\n`);
  }

  await assertStillServing();
  assert.equal((await server.call("GET", setting("raw"))).status, 404);
  const [record] = await auditOf(server, "hung-up");
  assert.equal(record?.["result"], "InvalidRequestContent", "it is the caller's failure, not ours");
});

it("work that takes longer than a request may is told to stop", async () => {
  const told = abandoned;

  await server.call("PUT", setting("long"), { body: { location: "global", properties: { waits: true } } });

  assert.equal(abandoned, told + 1);
});

it("HEAD has the status and headers of GET, and no body", async () => {
  await server.call("PUT", setting("head"), { body: { location: "global", properties: {} } });

  const [get, headOnly] = [await server.call("GET", setting("head")), await server.call("HEAD", setting("head"))];

  assert.deepEqual([headOnly.status, headOnly.text], [200, ""]);
  for (const name of ["etag", "content-type", "content-length"]) {
    assert.equal(headOnly.headers.get(name), get.headers.get(name), name);
  }
  assert.equal((await server.call("HEAD", setting("absent"))).status, 404);
  assert.equal((await server.call("HEAD", "/healthz", { token: null })).status, 200);
  assert.equal((await server.call("HEAD", setting("head"), { token: null })).status, 401);
});

it("a client that asks before it sends its body is told to go on", async () => {
  const body = JSON.stringify({ location: "global", properties: {} });
  using connection = await RawConnection.open(server.url);
  connection.send(
    head(
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "Expect: 100-continue",
      "Connection: close",
    ).replace("/raw?", "/expected?"),
  );
  await until("it may go on", () => connection.received.includes("100 Continue"));
  connection.send(body);

  const received = await connection.end();

  assert.match(received, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  assert.equal((await server.call("GET", setting("expected"))).status, 200);
});

it("an expectation that nobody knows is refused, and that is on record", async () => {
  using connection = await RawConnection.open(server.url);
  connection.send(head("Expect: something", "X-Ms-Correlation-Request-Id: expects", "Connection: close"));

  assert.match(await connection.end(), /^HTTP\/1\.1 417 [^]*"code":"BadRequest"/);
  const records = await auditOf(server, "expects");
  assert.deepEqual(
    records.map(({ phase, status }) => [phase, status]),
    [["refusal", 417]],
  );
});
