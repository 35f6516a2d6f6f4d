// Answers that are streams: callers who read slowly or leave, and streams that fail or never end.
import assert from "node:assert/strict";
import { once } from "node:events";
import { Readable } from "node:stream";
import { after, before, it } from "node:test";
import { systemClock } from "@rad/core";
import { until } from "@rad/core/testing";
import type { ModuleFactory, RouteRequest } from "@rad/modules";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { RawConnection } from "./support/raw-connection.ts";

const chunkBytes = 65_536;
const chunk = Buffer.alloc(chunkBytes, "x");

interface Seen {
  pulled: number;
  started: number;
  ended: number;
  aborted: boolean;
}

type Streams = Readonly<Record<string, (request: RouteRequest, seen: Seen) => AsyncIterable<string | Uint8Array>>>;

async function* counted(seen: Seen, chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  seen.started += 1;
  try {
    yield* chunks;
  } finally {
    seen.ended += 1;
  }
}

const streams: Streams = {
  endless: (_, seen) =>
    counted(
      seen,
      (async function* () {
        for (;;) {
          seen.pulled += 1;
          yield chunk;
        }
      })(),
    ),
  /** Says one thing, then waits until the caller is gone. */
  waiting: (request, seen) =>
    counted(
      seen,
      (async function* () {
        yield "hello\n";
        const signal = request.signal();
        if (!signal.aborted) {
          await once(signal, "abort");
        }
        seen.aborted = true;
      })(),
    ),
  /** Waits for something that never happens, and knows nothing of the caller. */
  deaf: (_, seen) => ({
    [Symbol.asyncIterator]: () => {
      seen.started += 1;
      return {
        next: () => new Promise(() => {}),
        return: async () => {
          seen.ended += 1;
          return { done: true, value: undefined };
        },
      };
    },
  }),
  silentReadable: (_, seen) => {
    seen.started += 1;
    return new Readable({ read: () => {}, destroy: (error, done) => ((seen.ended += 1), done(error)) });
  },
  failsAtOnce: (_, seen) =>
    counted(seen, { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("failed at once")) }) }),
  failsLater: (_, seen) =>
    counted(
      seen,
      (async function* () {
        yield "one\n";
        yield "two\n";
        throw new Error("failed later");
      })(),
    ),
  tooShort: (_, seen) => counted(seen, Readable.from(["12345"])),
  tooLong: (_, seen) => counted(seen, Readable.from(["1234567890", "HTTP/1.1 200 OK\r\n\r\n"])),
  wrongType: (_, seen) => counted(seen, Readable.from([{ no: "chunk" }])),
  /** Takes longer than a request may, and is silent for longer than that in between. */
  patient: (request, seen) =>
    counted(
      seen,
      (async function* () {
        const signal = request.signal();
        for (const pauseMs of [300, 300, 300, 1_300, 300]) {
          await systemClock.sleep(pauseMs);
          yield `${signal.aborted}\n`;
        }
      })(),
    ),
};

const lengths: Readonly<Record<string, string>> = { tooShort: "10", tooLong: "10" };
const seen = new Map<string, Seen>();

function seenOf(name: string): Seen {
  const known = seen.get(name) ?? { pulled: 0, started: 0, ended: 0, aborted: false };
  seen.set(name, known);
  return known;
}

const streaming: ModuleFactory = {
  name: "streaming",
  create: () => ({
    routes: [
      {
        method: "GET",
        path: "/stream/*",
        permission: undefined,
        handle: (request) => {
          const [name = "", suffix = ""] = request.rest;
          const length = lengths[name];
          return {
            status: 200,
            headers: { "Content-Type": "text/plain", ...(length === undefined ? {} : { "Content-Length": length }) },
            body: streams[name]?.(request, seenOf(name + suffix)) ?? "",
          };
        },
      },
      {
        method: "GET",
        path: "/throws",
        permission: undefined,
        handle: () => {
          throw new Error("failed before");
        },
      },
    ],
  }),
};

let server: TestServer;
before(async () => {
  server = await startTestServer({
    modules: [streaming],
    overrides: { server: { limits: { requestTimeoutSeconds: 1 } } },
  });
});
after(() => server[Symbol.asyncDispose]());

async function request(path: string, version = "1.1", url = server.url): Promise<RawConnection> {
  const connection = await RawConnection.open(url);
  connection.send(`GET /stream/${path} HTTP/${version}\r\nHost: localhost\r\n\r\n`);
  return connection;
}

/** Resolves to what the stream has pulled when it pulls no more. */
async function settledPulls(state: Seen): Promise<number> {
  let last = -1;
  await until("the stream stands still", async () => {
    const before = last;
    last = state.pulled;
    await systemClock.sleep(100);
    return last > 0 && before === last && state.pulled === last;
  });
  return last;
}

it("an endless stream is pulled only as far as a slow reader takes it, and ends with the reader", async () => {
  await using patient = await startTestServer({ modules: [streaming] });
  const state = seenOf("endlessslow");
  const connection = await request("endless/slow", "1.1", patient.url);
  connection.pause();

  const stuck = await settledPulls(state);
  connection.resume();
  await until("it goes on", () => state.pulled > stuck + 100);
  connection.pause();
  await settledPulls(state);
  connection[Symbol.dispose]();

  // What the sockets of both sides hold, and not much more: without back-pressure it would be gigabytes.
  assert.ok(stuck * chunkBytes < 32 * 1_048_576, `${stuck} chunks`);
  await until("it has ended", () => state.ended === 1);
});

it("a reader who takes nothing for as long as a request may take is cut off", async () => {
  const state = seenOf("endlessstuck");
  using connection = await request("endless/stuck");
  connection.pause();

  await until("the stream has ended", () => state.ended === 1);

  connection.resume();
  await connection.end();
  assert.equal(connection.failure, "ECONNRESET");
});

it("a stream may be silent, and take longer than a request", async () => {
  const response = await fetch(`${server.url}/stream/patient`);

  assert.equal(await response.text(), "false\n".repeat(5));
});

for (const name of ["waiting", "deaf", "silentReadable"]) {
  it(`a stream that waits (${name}) sends its headers at once, and ends when the caller leaves`, async () => {
    const state = seenOf(name);
    const connection = await request(name);
    await until("the headers are there", () => connection.received.includes("\r\n\r\n"));
    assert.deepEqual([state.started, state.ended], [1, 0]);

    connection[Symbol.dispose]();

    await until("the stream has ended", () => state.ended === 1);
    assert.equal(state.aborted, name === "waiting");
  });
}

it("a caller who leaves is noticed behind a body that nobody reads", async () => {
  using connection = await RawConnection.open(server.url);
  const head = "GET /stream/waiting/unread HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n";
  connection.send(head);
  connection.send(Buffer.alloc(20_000_000));
  await until("the stream has begun", () => connection.received.includes("hello"));

  connection[Symbol.dispose]();

  await until("the stream has ended", () => seenOf("waitingunread").ended === 1);
});

it("no stream is left over from many callers who leave", async () => {
  const count = 100;
  const state = seenOf("endlessmany");
  for (let index = 0; index < count; index += 1) {
    const connection = await request("endless/many");
    if (index % 2 === 0) {
      await until("it has begun", () => connection.received.length > chunkBytes);
    }
    connection[Symbol.dispose]();
  }

  await until(
    "all have ended",
    async () => (await server.call("GET", "/healthz")).status === 200 && state.started === state.ended,
  );
  assert.ok(state.started >= count / 2);
});

it("a handler that throws before it answers is a bare 500", async () => {
  const reply = await server.call("GET", "/throws");

  assert.deepEqual([reply.status, reply.code], [500, "Internal"]);
  assert.doesNotMatch(reply.text, /failed before/);
});

for (const name of ["failsAtOnce", "failsLater", "tooShort", "wrongType"]) {
  it(`a stream that goes wrong (${name}) cuts the connection`, async () => {
    await assert.rejects(async () => await (await fetch(`${server.url}/stream/${name}`)).text());
    using connection = await request(name);
    const received = await connection.end();

    assert.doesNotMatch(received, /\r\n0\r\n\r\n$/, "the last chunk would make it look whole");
    assert.equal(seenOf(name).started, seenOf(name).ended);
    assert.equal((await server.call("GET", "/healthz")).status, 200);
  });
}

it("nothing of a stream goes out that would be taken for the next answer", async () => {
  using connection = await request("tooLong");
  const received = await connection.end();

  assert.equal(received.match(/HTTP\/1\.1/g)?.length ?? 1, 1);
  assert.equal(connection.failure, "ECONNRESET");
  assert.deepEqual([seenOf("tooLong").started, seenOf("tooLong").ended], [1, 1]);
});

it("a caller without chunks, who takes the end of the connection for the end of the answer, sees a reset", async () => {
  using connection = await request("failsLater", "1.0");

  await connection.end();

  assert.equal(connection.failure, "ECONNRESET");
});

it("HEAD does not start a stream, and closes what was opened for it", async () => {
  const endless = await server.call("HEAD", "/stream/endless/head");
  const readable = await server.call("HEAD", "/stream/silentReadable/head");

  assert.deepEqual([endless.status, endless.text, readable.status], [200, "", 200]);
  assert.equal(endless.headers.get("content-type"), "text/plain");
  assert.deepEqual([seenOf("endlesshead").started, seenOf("endlesshead").pulled], [0, 0]);
  assert.equal(seenOf("silentReadablehead").ended, 1);
});

it("a stop of the server ends open streams within the time for that, before the module", async () => {
  const events: string[] = [];
  const module: ModuleFactory = {
    name: "late",
    create: () => ({
      [Symbol.asyncDispose]: async () => void events.push(`module, ${seenOf("waitingstop").ended} ended`),
    }),
  };
  const stopping = await startTestServer({
    modules: [streaming, module],
    overrides: { operations: { drainSeconds: 1 } },
  });
  const endless = await request("endless/stop", "1.1", stopping.url);
  const waiting = await request("waiting/stop", "1.1", stopping.url);
  endless.pause();
  await until("both have begun", () => seenOf("endlessstop").pulled > 10 && waiting.received.includes("hello"));

  await stopping[Symbol.asyncDispose]();

  assert.deepEqual(events, ["module, 1 ended"]);
  assert.equal(seenOf("endlessstop").ended, 1);
  assert.doesNotMatch(await waiting.end(), /\r\n0\r\n\r\n$/);
  endless[Symbol.dispose]();
});
