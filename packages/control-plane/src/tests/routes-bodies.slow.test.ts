// What a route that takes bytes does with callers who send too much, too little, too slowly, or leave.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { systemClock } from "@rad/core";
import { until } from "@rad/core/testing";
import type { BytesRequest, ModuleFactory } from "@rad/modules";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { auditOf } from "./support/audit.ts";
import { RawConnection } from "./support/raw-connection.ts";

const maxBytes = 1_000_000;
/** How often each way of reading was called, and what it got. */
let calls = 0;
let bytesRead = 0;
const failures: string[] = [];

async function read(request: BytesRequest): Promise<string> {
  const {
    rest: [way],
    bytes,
  } = request;
  const stopped = request.signal();
  switch (way) {
    case "whole":
      return Buffer.from(await bytes.whole()).toString("latin1");
    case "twice":
      await bytes.whole();
      return `${(await bytes.whole()).length} bytes`;
    case "first":
      for await (const chunk of bytes) {
        return `first ${chunk.length > 0}`;
      }
      return "none";
    case "stream": {
      let size = 0;
      for await (const chunk of bytes) {
        size += chunk.length;
        bytesRead += chunk.length;
      }
      return `${size} ${stopped.aborted}`;
    }
    default:
      return "ignored";
  }
}

const uploads: ModuleFactory = {
  name: "uploads",
  create: () => ({
    routes: [
      {
        method: "POST",
        path: "/upload/*",
        permission: "Test.Uploads/all/write",
        body: "bytes",
        maxBytes,
        handle: async (request) => {
          calls += 1;
          try {
            return { status: 200, headers: { "Content-Type": "text/plain" }, body: await read(request) };
          } catch (error) {
            failures.push(error instanceof Error && "code" in error ? String(error.code) : String(error));
            throw error;
          }
        },
      },
    ],
  }),
};

let server: TestServer;
before(async () => {
  server = await startTestServer({
    modules: [uploads],
    overrides: { server: { limits: { requestTimeoutSeconds: 1 } } },
  });
});
after(() => server[Symbol.asyncDispose]());

const head = (way: string, ...lines: readonly string[]): string =>
  [
    `POST /upload/${way} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${server.token}`,
    "Content-Type: application/octet-stream",
    ...lines,
    "",
    "",
  ].join("\r\n");
const strange = (way: string, ...lines: readonly string[]): string =>
  head(way, ...lines).replace(server.token, "nobody");
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

async function talk(text: string): Promise<string> {
  using connection = await RawConnection.open(server.url);
  connection.send(text);
  return await connection.end();
}

const answered: readonly (readonly [string, () => string, RegExp])[] = [
  ["no body at all", () => head("whole", "Connection: close"), /^HTTP\/1\.1 200 [^]*\r\n\r\n$/],
  ["an empty body", () => head("whole", "Content-Length: 0", "Connection: close"), /200 [^]*\r\n\r\n$/],
  [
    "chunks",
    () => `${head("whole", "Transfer-Encoding: chunked", "Connection: close")}${chunk("ab")}${chunk("cde")}0\r\n\r\n`,
    /200 [^]*\r\n\r\nabcde$/,
  ],
  ["chunks that are none", () => `${head("whole", "Transfer-Encoding: chunked")}zz\r\nhello\r\n`, /^HTTP\/1\.1 400 /],
  ["a length that is none", () => `${head("whole", "Content-Length: many")}hello`, /^HTTP\/1\.1 400 /],
  ["more than its length says", () => `${head("whole", "Content-Length: 3")}abcdefgh`, /^HTTP\/1\.1 400 /],
  [
    "less than its length says",
    () => `${head("whole", "Content-Length: 30")}abc`,
    /^HTTP\/1\.1 408 [^]*"code":"RequestTimeout"/,
  ],
  [
    "chunks that stop",
    () => `${head("stream", "Transfer-Encoding: chunked")}${chunk("ab")}`,
    /^HTTP\/1\.1 408 [^]*"code":"RequestTimeout"/,
  ],
  [
    "a length beyond the limit",
    () => head("whole", `Content-Length: ${maxBytes + 1}`),
    /^HTTP\/1\.1 413 [^]*"code":"RequestEntityTooLarge"/,
  ],
  ["the body, read twice", () => `${head("twice", "Content-Length: 1", "Connection: close")}a`, /^HTTP\/1\.1 500 /],
];
for (const [what, text, expected] of answered) {
  it(`${what} gets the right answer`, async () => {
    assert.match(await talk(text()), expected);
  });
}

it("a body of exactly the limit is taken", async () => {
  const body = "x".repeat(maxBytes);

  const received = await talk(`${head("stream", `Content-Length: ${maxBytes}`, "Connection: close")}${body}`);

  assert.match(received, /\r\n\r\n1000000 false$/);
});

it("a body that arrives slowly is read for longer than a request may take, as long as something arrives", async () => {
  using connection = await RawConnection.open(server.url);
  connection.send(head("stream", "Transfer-Encoding: chunked", "Connection: close"));
  for (let sent = 0; sent < 8; sent += 1) {
    await systemClock.sleep(250);
    connection.send(chunk("abcd"));
  }
  connection.send("0\r\n\r\n");

  assert.match(await connection.end(), /^HTTP\/1\.1 200 [^]*\r\n\r\n32 false$/, "nor is the work told to stop");
});

it("a client that leaves in the middle of its body fails the read, and is on record", async () => {
  failures.length = 0;
  {
    const before = bytesRead;
    using connection = await RawConnection.open(server.url);
    connection.send(`${head("stream", "Content-Length: 500000", "X-Ms-Correlation-Request-Id: left")}abc`);
    await until("some of it was read", () => bytesRead > before);
  }

  await until("the read failed", () => failures.length === 1);

  assert.deepEqual(failures, ["InvalidRequestContent"]);
  const [record] = await auditOf(server, "left");
  assert.equal(record?.["result"], "InvalidRequestContent");
});

it("chunks beyond the limit are refused, and no more than the limit is handed on", async () => {
  const before = bytesRead;
  using connection = await RawConnection.open(server.url);
  connection.send(head("stream", "Transfer-Encoding: chunked"));
  const piece = chunk("x".repeat(60_000));
  for (let sent = 0; sent < 100; sent += 1) {
    connection.send(piece);
  }

  const received = await connection.end();

  assert.match(received, /^HTTP\/1\.1 413 /);
  assert.ok(bytesRead - before <= maxBytes);
});

it("clients that send far too much hear why, instead of a broken connection", async () => {
  for (let round = 0; round < 5; round += 1) {
    const response = await fetch(`${server.url}/upload/stream`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}` },
      body: Buffer.alloc(30_000_000),
    });

    assert.equal(response.status, 413);
  }
});

it("a body that nobody may send is not read, and not handed on", async () => {
  const before = calls;
  using connection = await RawConnection.open(server.url);
  connection.send(`${strange("stream", "Content-Length: 900000")}some of it`);

  const received = await connection.end();

  assert.match(received, /^HTTP\/1\.1 401 /);
  assert.equal(calls, before);
});

const refusals: readonly (readonly [string, () => string, number])[] = [
  ["a stranger", () => strange("whole", "Content-Length: 5", "Expect: 100-continue"), 401],
  ["somebody with too much", () => head("whole", `Content-Length: ${maxBytes + 1}`, "Expect: 100-continue"), 413],
  ["a body that is not wanted", () => head("ignore", "Content-Length: 5", "Expect: 100-continue"), 200],
];
for (const [who, text, status] of refusals) {
  it(`${who} is not told to go on`, async () => {
    const received = await talk(text());

    assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} [^]*connection: close`, "i"));
    assert.doesNotMatch(received, /100 Continue/);
  });
}

it("who asks before sending is told to go on when the body is wanted", async () => {
  using connection = await RawConnection.open(server.url);
  connection.send(head("whole", "Content-Length: 5", "Expect: 100-continue", "Connection: close"));
  await until("it may go on", () => connection.received.includes("100 Continue"));
  connection.send("hello");

  assert.match(await connection.end(), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 [^]*hello$/);
});

for (const way of ["ignore", "first"]) {
  it(`a handler that reads nothing more (${way}) leaves the connection to the next request`, async () => {
    using connection = await RawConnection.open(server.url);
    connection.send(`${head(way, "Content-Length: 200000")}${"x".repeat(100_000)}`);
    await until("the first answer is there", () => connection.received.includes("HTTP/1.1 200"));
    connection.send(`${"x".repeat(100_000)}${head("whole", "Content-Length: 5", "Connection: close")}hello`);

    assert.match(await connection.end(), /^HTTP\/1\.1 200 [^]*HTTP\/1\.1 200 [^]*hello$/);
  });
}
